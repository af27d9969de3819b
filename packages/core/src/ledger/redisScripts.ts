/** The operations that the Redis server runs atomically, as its own scripts: the two operations of a `LedgerStore`. */
import { insistedMillis, toleranceMillis } from "./agreedTime.ts"
import { leftBehind, shareAhead } from "./store.ts"
import { daysKept, earlierDays } from "./window.ts"

/**
 * Days are remembered for so long by name, in case a clock turns out to have been ahead, and their charges for longer. In a
 * window of several days they are remembered as long as their charges, and in one without end these are added up.
 */
const daysListed = 60
const secondsKept = daysKept * 86_400
/** A lease of a clock that was far ahead ends within so many milliseconds. */
const longestLease = 3_600_000

/**
 * What every script begins with. The server's clock says what time it is. Where it is behind what it has said before, the time
 * stands still and all days since its own count, until it has insisted for an hour; then charges of later days become charges
 * of its day.
 *
 * KEYS: leases, days, then the charges of each day that the caller lists.
 * ARGV: what time it is where a test sets it or "", the window ("day", "month", "none", or a number of days), how many days are
 * listed, and those days.
 * Replies with "days" and the days to list when they are others, and then has done nothing.
 */
const begin = `
local leases, days = KEYS[1], KEYS[2]
local clock, window, listed = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local function text(value) return string.format("%.17g", value) end
local function day_of(time) return math.floor(time / ${86_400_000}) end
local function day_of_month(day)
  local floor = math.floor
  -- Years that begin in March, in cycles of 400.
  local cycle = (day + 719468) % 146097
  local year = floor((cycle - floor(cycle / 1460) + floor(cycle / 36524) - floor(cycle / 146096)) / 365)
  local rest = cycle - (365 * year + floor(year / 4) - floor(year / 100))
  local month = floor((5 * rest + 2) / 153)
  return rest - floor((153 * month + 2) / 5) + 1
end
local function first_day(day)
  if window == "day" then return day end
  if window == "none" then return ${earlierDays} end
  if window == "month" then return day - day_of_month(day) + 1 end
  return math.max(0, day - tonumber(window) + 1)
end
if clock == nil then
  local time = redis.call("TIME")
  clock = time[1] * 1000 + math.floor(time[2] / 1000)
end
local charges, known = {}, {}
for i = 1, listed do charges[tonumber(ARGV[3 + i])] = KEYS[2 + i] end
local all_days = redis.call("HGETALL", days)
for i = 1, #all_days, 2 do known[all_days[i]] = tonumber(all_days[i + 1]) end
local latest, doubt = known.latest or clock, known.doubt
known.latest, known.doubt = nil, nil
local behind = clock < latest - ${toleranceMillis}
local agreed = not behind or (doubt ~= nil and clock - doubt >= ${insistedMillis})
local now = math.max(clock, latest)
if behind then now = agreed and clock or latest end
local today = day_of(now)
local since = math.min(today, day_of(clock))
if agreed then since = today end
local first = first_day(since)
local later, earlier, missing = {}, {}, charges[since] == nil or charges[today] == nil
if window == "none" and charges[${earlierDays}] == nil then missing = true end
for name in pairs(known) do
  local day = tonumber(name)
  if day > since or (day >= first and day < since) then
    table.insert(day > since and later or earlier, day)
    missing = missing or charges[day] == nil
  end
end
local function expire(key)
  if window ~= "none" then redis.call("EXPIRE", key, ${secondsKept}) end
end
local function add(day, field, credits)
  redis.call("HINCRBYFLOAT", charges[day], field, credits)
  expire(charges[day])
  if known[text(day)] == nil then redis.call("HSET", days, text(day), 1) end
end
local function ask(more)
  local reply = { "days", text(since), text(today) }
  for _, day in ipairs(later) do table.insert(reply, text(day)) end
  for _, day in ipairs(earlier) do table.insert(reply, text(day)) end
  if window == "none" then table.insert(reply, "${earlierDays}") end
  for _, day in ipairs(more) do table.insert(reply, text(day)) end
  return reply
end
`

/**
 * A lease is a text: credits, when it ends, which of its owner's leases it is (a number that grows; one of an earlier version
 * has none), and the number of the latest entry.
 *
 * ARGV then: owner, how long the lease lasts, which lease it is, daily, open, need, extra, kept, number, last (0 or 1); then for
 * each entry its number, its day, its field and its credits. A step that arrives after a later one of its owner does nothing.
 * Replies with what was granted, what was free, what others have in leases, and what time it is.
 */
export const stepScript = `${begin}
local at = 3 + listed
local owner, lasts, which = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
local daily = ARGV[at + 4] == "Infinity" and math.huge or tonumber(ARGV[at + 4])
local open, need, extra, kept = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]), tonumber(ARGV[at + 7]), tonumber(ARGV[at + 8])
local number, last = ARGV[at + 9], ARGV[at + 10] == "1"

local all = redis.call("HGETALL", leases)
local own, others, ended, more = nil, 0, {}, {}
for i = 1, #all, 2 do
  local credits, ends = string.match(all[i + 1], "^(%S+) (%S+)")
  local day = day_of(tonumber(ends))
  if agreed and tonumber(ends) > now + ${longestLease} then
    all[i + 1] = credits .. " " .. text(now + ${longestLease}) .. string.match(all[i + 1], "^%S+ %S+(.*)$")
    redis.call("HSET", leases, all[i], all[i + 1])
  end
  if all[i] == owner then own = all[i + 1]
  elseif day >= since or (not agreed and day >= first) then others = others + tonumber(credits)
  elseif agreed then
    table.insert(ended, { all[i], day, credits })
    if charges[day] == nil then table.insert(more, day); missing = true end
  end
end
local written = own and tonumber(string.match(own, "(%d+)$")) or -1
local latest_lease = own and tonumber(string.match(own, "^%S+ %S+ (%d+) %d+$")) or -1
if tonumber(which) < latest_lease then return { "0", "0", text(others), text(now) } end
local entries = {}
for i = at + 11, #ARGV, 4 do
  if tonumber(ARGV[i]) > written then
    local day = agreed and math.min(tonumber(ARGV[i + 1]), today) or today
    if charges[day] == nil then table.insert(more, day); missing = true end
    table.insert(entries, { day, ARGV[i + 2], ARGV[i + 3] })
  end
end
if missing then return ask(more) end
redis.call("HSET", days, today, 1, "latest", text(now))
expire(days)
if agreed then
  if doubt then redis.call("HDEL", days, "doubt") end
  local kept = (window == "day" or window == "none") and ${daysListed} or ${daysKept}
  for name in pairs(known) do
    local day = tonumber(name)
    if day < today - kept and day ~= ${earlierDays} then
      if window == "none" and charges[day] ~= nil then
        local hash = redis.call("HGETALL", charges[day])
        for i = 1, #hash, 2 do add(${earlierDays}, hash[i], hash[i + 1]) end
        redis.call("DEL", charges[day])
      end
      redis.call("HDEL", days, name)
    end
  end
elseif doubt == nil or doubt > clock then redis.call("HSET", days, "doubt", text(clock)) end

for _, entry in ipairs(entries) do add(entry[1], entry[2], entry[3]) end
-- What processes left behind on earlier days is a charge of those.
for _, one in ipairs(ended) do
  if tonumber(one[3]) > 0 then add(one[2], "\\n${leftBehind}", one[3]) end
  redis.call("HDEL", leases, one[1])
end
if agreed then
  for _, day in ipairs(later) do
    local hash = redis.call("HGETALL", charges[day])
    for i = 1, #hash, 2 do add(today, hash[i], hash[i + 1]) end
    redis.call("DEL", charges[day])
    redis.call("HDEL", days, day)
  end
  later = {}
end

local free = daily - open - others
for day, key in pairs(charges) do
  if day >= first then
    for _, credits in ipairs(redis.call("HVALS", key)) do free = free - tonumber(credits) end
  end
end

local granted = 0
local plenty = free - kept - need
if plenty >= 0 then granted = need + math.min(extra, math.floor(plenty / ${shareAhead})) end
if last and open + granted == 0 then redis.call("HDEL", leases, owner)
else
  redis.call("HSET", leases, owner, text(open + granted) .. " " .. text(now + tonumber(lasts)) .. " " .. which .. " " .. number)
  expire(leases)
end
return { text(granted), text(free), text(others), text(now) }
`

/** Replies with the leases, the charges that count one after another, the first day that counts, and what time it is. */
export const accountScript = `${begin}
if missing then return ask({}) end
local counted = {}
for day, key in pairs(charges) do
  if day >= first then
    for _, part in ipairs(redis.call("HGETALL", key)) do table.insert(counted, part) end
  end
end
return { redis.call("HGETALL", leases), counted, { text(first), text(now) } }
`

/**
 * ARGV then: the field of what is set, the credits spent. Charges of the window and leases that have ended are replaced by what
 * is set.
 */
export const setScript = `${begin}
if missing then return ask({}) end
local at = 3 + listed
for day, key in pairs(charges) do
  if day >= first then redis.call("DEL", key) redis.call("HDEL", days, text(day)) end
end
if tonumber(ARGV[at + 2]) > 0 then add(since, ARGV[at + 1], ARGV[at + 2]) end
local all = redis.call("HGETALL", leases)
for i = 1, #all, 2 do
  local ends = tonumber(string.match(all[i + 1], "^%S+ (%S+)"))
  if ends < now then redis.call("HDEL", leases, all[i]) end
end
return { "0", "0", "0", text(now) }
`

/**
 * KEYS: leases. ARGV: for each lease its owner, the text that it has been seen as, and the text that it becomes if it still is
 * that one: then its owner has not been heard of since.
 */
export const settleScript = `
for i = 1, #ARGV, 3 do
  if redis.call("HGET", KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call("HSET", KEYS[1], ARGV[i], ARGV[i + 2]) end
end
`
