/**
 * The operations that the Redis server runs atomically, as its own scripts. The account of a key is one hash: `latest` and
 * `doubt` say what time it is, `days` lists the days with charges, `charge:DAY:METHOD` and `spent:DAY` have their credits,
 * and `second` and `in-second` what the latest second took.
 */
import { serverTimeScript } from "@dotrpc/spec"
import { daysKept } from "../metering/Balances.ts"

/** An account that nobody uses is forgotten after so long. */
const secondsKept = 400 * 86_400

/** ARGV begins with what time it is where a test says so, or "". */
const begin = `
local account, clock = KEYS[1], tonumber(ARGV[1])
${serverTimeScript}
local function amount(value) return value == "Infinity" and math.huge or tonumber(value) end
local function number(field) return tonumber(redis.call("HGET", account, field) or "0") end
clock = clock or server_time()
local doubt = tonumber(redis.call("HGET", account, "doubt") or "")
local agreed, now, today, since = agree(clock, tonumber(redis.call("HGET", account, "latest") or ""), doubt)
local days = {}
for day in string.gmatch(redis.call("HGET", account, "days") or "", "%d+") do table.insert(days, tonumber(day)) end
local function spent()
  local sum = 0
  for _, day in ipairs(days) do
    if day >= since then sum = sum + number("spent:" .. text(day)) end
  end
  return sum
end
`

/** Writes down what time it is, and makes charges of a day that has not come yet charges of today. */
const enterDay = `
local function add(day, method, credits)
  local name = text(day)
  if redis.call("HEXISTS", account, "spent:" .. name) == 0 then
    table.insert(days, day)
    redis.call("HSET", account, "days", table.concat(days, " "))
  end
  redis.call("HINCRBYFLOAT", account, "charge:" .. name .. ":" .. method, credits)
  redis.call("HINCRBYFLOAT", account, "spent:" .. name, credits)
end
local function remove(gone, move)
  local all, left = redis.call("HGETALL", account), {}
  for _, day in ipairs(days) do
    if not gone(day) then table.insert(left, day) end
  end
  if #left == #days then return end
  days = left
  redis.call("HSET", account, "days", table.concat(days, " "))
  for i = 1, #all, 2 do
    local day, method = string.match(all[i], "^charge:(%d+):(.*)$")
    day = tonumber(day or string.match(all[i], "^spent:(%d+)$") or "")
    if day ~= nil and gone(day) then
      redis.call("HDEL", account, all[i])
      if method and move then add(today, method, all[i + 1]) end
    end
  end
end
redis.call("HSET", account, "latest", text(now))
redis.call("EXPIRE", account, ${secondsKept})
-- An earlier version kept one day, without its name in the fields.
local only = redis.call("HGET", account, "day")
if only then
  local all = redis.call("HGETALL", account)
  for i = 1, #all, 2 do
    local method = string.match(all[i], "^method:(.*)$")
    if method then
      redis.call("HDEL", account, all[i])
      add(tonumber(only), method, all[i + 1])
    end
  end
  redis.call("HDEL", account, "day", "spent")
end
if agreed then
  redis.call("HDEL", account, "doubt")
  for _, day in ipairs(days) do
    if day > today then remove(function(day) return day > today end, true) break end
  end
  table.sort(days)
  local oldest = days[#days - ${daysKept - 1}]
  if oldest ~= nil and #days > ${daysKept} then
    remove(function(day) return day < oldest and day < today - ${daysKept} end, false)
  end
elseif doubt == nil or doubt > clock then redis.call("HSET", account, "doubt", text(clock)) end
`

/**
 * ARGV then: daily, credits per second or "Infinity", then for each charge its method and its credits.
 * Replies with "admitted", "daily" or "perSecond", what was spent today, and the day of the charge.
 */
export const admitScript = `${begin}${enterDay}
local second, daily, limit = math.floor(clock / 1000), amount(ARGV[2]), amount(ARGV[3])
local credits = 0
for i = 5, #ARGV, 2 do credits = credits + tonumber(ARGV[i]) end

local before = spent()
if before + credits > daily then return { "daily", text(before), text(today) } end
if limit < math.huge then
  local used, latest = 0, number("second")
  if second > latest or second < latest - 5 then redis.call("HSET", account, "second", text(second))
  else used = number("in-second") end
  if used > 0 and used + credits > limit then return { "perSecond", text(before), text(today) } end
  redis.call("HSET", account, "in-second", text(used + credits))
end

for i = 4, #ARGV, 2 do add(today, ARGV[i], ARGV[i + 1]) end
return { "admitted", text(before + credits), text(today) }
`

/** ARGV then: the day of the admission, method, credits. Replies with what was spent today. */
export const refundScript = `${begin}${enterDay}
local day = math.min(tonumber(ARGV[2]), today)
if number("charge:" .. text(day) .. ":" .. ARGV[3]) >= tonumber(ARGV[4]) then add(day, ARGV[3], "-" .. ARGV[4]) end
return text(spent())
`

/** Replies with the first day that counts, then the methods and credits of each day since. */
export const accountScript = `${begin}
local reply, all = { text(since) }, redis.call("HGETALL", account)
for i = 1, #all, 2 do
  local day, method = string.match(all[i], "^charge:(%d+):(.*)$")
  if day ~= nil and tonumber(day) >= since then
    table.insert(reply, method)
    table.insert(reply, all[i + 1])
  end
end
return reply
`
