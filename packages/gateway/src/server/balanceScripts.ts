/**
 * The operations that the Redis server runs atomically, as its own scripts. The account of a key is one hash: `day`,
 * `spent`, `second`, `in-second`, and `method:NAME` with the credits of each method.
 */

const account = `
local account, day = KEYS[1], tonumber(ARGV[1])
local function text(value) return string.format("%.17g", value) end
local function amount(value) return value == "Infinity" and math.huge or tonumber(value) end
local function number(field) return tonumber(redis.call("HGET", account, field) or "0") end
`

/** A day that is over is forgotten three days later, so that no clock of a team brings it back. */
const turn = `
if day > number("day") then
  redis.call("DEL", account)
  redis.call("HSET", account, "day", ARGV[1])
  redis.call("EXPIRE", account, 259200)
end
`

/**
 * ARGV: day, second, daily, credits per second or "Infinity", then for each charge its method and its credits.
 * Replies with "admitted", "daily" or "perSecond", and what was spent today.
 */
export const admitScript = `${account}${turn}
local second, daily, limit = tonumber(ARGV[2]), amount(ARGV[3]), amount(ARGV[4])
local credits = 0
for i = 6, #ARGV, 2 do credits = credits + tonumber(ARGV[i]) end

local spent = number("spent")
if spent + credits > daily then return { "daily", text(spent) } end
if limit < math.huge then
  local used, latest = 0, number("second")
  if second > latest or second < latest - 5 then redis.call("HSET", account, "second", ARGV[2])
  else used = number("in-second") end
  if used > 0 and used + credits > limit then return { "perSecond", text(spent) } end
  redis.call("HSET", account, "in-second", text(used + credits))
end

redis.call("HSET", account, "spent", text(spent + credits))
for i = 5, #ARGV, 2 do redis.call("HINCRBYFLOAT", account, "method:" .. ARGV[i], ARGV[i + 1]) end
return { "admitted", text(spent + credits) }
`

/** ARGV: the day of the admission, method, credits. Replies with what was spent today. */
export const refundScript = `${account}
local spent = number("spent")
if day == number("day") then
  spent = spent - tonumber(ARGV[3])
  redis.call("HSET", account, "spent", text(spent))
  redis.call("HINCRBYFLOAT", account, "method:" .. ARGV[2], "-" .. ARGV[3])
end
return text(spent)
`

/** ARGV: day. Replies with the whole account. */
export const accountScript = `${account}${turn}
return redis.call("HGETALL", account)
`
