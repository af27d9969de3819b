/** The operations that the Redis server runs atomically, as its own scripts: the two operations of a `LedgerStore`. */
import { insistedMillis, toleranceMillis } from "./agreedTime.ts"
import { leftBehind, shareAhead } from "./store.ts"

/** Days are remembered for so long by name, in case a clock turns out to have been ahead, and their charges for longer. */
const daysListed = 60
const secondsKept = 400 * 86_400
/** A lease of a clock that was far ahead ends within so many milliseconds. */
const longestLease = 3_600_000

/**
 * What every script begins with. The server's clock says what time it is. Where it is behind what it has said before, the time
 * stands still and all days since its own count, until it has insisted for an hour; then charges of later days become charges
 * of its day.
 *
 * KEYS: leases, days, then the charges of each day that the caller lists.
 * ARGV: what time it is where a test sets it or "", how many days are listed, and those days.
 * Replies with "days" and the days to list when they are others, and then has done nothing.
 */
const begin = `
local leases, days = KEYS[1], KEYS[2]
local clock, listed = tonumber(ARGV[1]), tonumber(ARGV[2])
local function text(value) return string.format("%.17g", value) end
local function day_of(time) return math.floor(time / ${86_400_000}) end
if clock == nil then
  local time = redis.call("TIME")
  clock = time[1] * 1000 + math.floor(time[2] / 1000)
end
local charges, known = {}, {}
for i = 1, listed do charges[tonumber(ARGV[2 + i])] = KEYS[2 + i] end
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
local later, missing = {}, charges[since] == nil or charges[today] == nil
for name in pairs(known) do
  local day = tonumber(name)
  if day > since then
    table.insert(later, day)
    missing = missing or charges[day] == nil
  end
end
local function add(day, field, credits)
  redis.call("HINCRBYFLOAT", charges[day], field, credits)
  redis.call("EXPIRE", charges[day], ${secondsKept})
end
local function ask(more)
  local reply = { "days", text(since), text(today) }
  for _, day in ipairs(later) do table.insert(reply, text(day)) end
  for _, day in ipairs(more) do table.insert(reply, text(day)) end
  return reply
end
`

/**
 * ARGV then: owner, how long the lease lasts, daily, open, need, extra, kept, number, last (0 or 1); then for each entry its
 * number, its day, its field and its credits.
 * Replies with what was granted, what was free, what others have in leases, and what time it is.
 */
export const stepScript = `${begin}
local at = 2 + listed
local owner, lasts = ARGV[at + 1], ARGV[at + 2]
local daily = ARGV[at + 3] == "Infinity" and math.huge or tonumber(ARGV[at + 3])
local open, need, extra, kept = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]), tonumber(ARGV[at + 7])
local number, last = ARGV[at + 8], ARGV[at + 9] == "1"

local all = redis.call("HGETALL", leases)
local own, others, ended, more = nil, 0, {}, {}
for i = 1, #all, 2 do
  local credits, ends = string.match(all[i + 1], "^(%S+) (%S+)")
  local day = day_of(tonumber(ends))
  if agreed and tonumber(ends) > now + ${longestLease} then
    all[i + 1] = credits .. " " .. text(now + ${longestLease}) .. string.match(all[i + 1], " %d+$")
    redis.call("HSET", leases, all[i], all[i + 1])
  end
  if all[i] == owner then own = all[i + 1]
  elseif day >= since then others = others + tonumber(credits)
  elseif agreed then
    table.insert(ended, { all[i], day, credits })
    if charges[day] == nil then table.insert(more, day); missing = true end
  end
end
local written = own and tonumber(string.match(own, "(%d+)$")) or -1
local entries = {}
for i = at + 10, #ARGV, 4 do
  if tonumber(ARGV[i]) > written then
    local day = agreed and math.min(tonumber(ARGV[i + 1]), today) or today
    if charges[day] == nil then table.insert(more, day); missing = true end
    table.insert(entries, { day, ARGV[i + 2], ARGV[i + 3] })
  end
end
if missing then return ask(more) end
redis.call("HSET", days, today, 1, "latest", text(now))
redis.call("EXPIRE", days, ${secondsKept})
if agreed then
  if doubt then redis.call("HDEL", days, "doubt") end
  for name in pairs(known) do
    if tonumber(name) < today - ${daysListed} then redis.call("HDEL", days, name) end
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
for _, credits in ipairs(redis.call("HVALS", charges[since])) do free = free - tonumber(credits) end
for _, day in ipairs(later) do
  for _, credits in ipairs(redis.call("HVALS", charges[day])) do free = free - tonumber(credits) end
end

local granted = 0
local plenty = free - kept - need
if plenty >= 0 then granted = need + math.min(extra, math.floor(plenty / ${shareAhead})) end
if last and open + granted == 0 then redis.call("HDEL", leases, owner)
else
  redis.call("HSET", leases, owner, text(open + granted) .. " " .. text(now + tonumber(lasts)) .. " " .. number)
  redis.call("EXPIRE", leases, ${secondsKept})
end
return { text(granted), text(free), text(others), text(now) }
`

/** Replies with the leases, the charges that count today one after another, the first day that counts, and what time it is. */
export const accountScript = `${begin}
if missing then return ask({}) end
local counted = redis.call("HGETALL", charges[since])
for _, day in ipairs(later) do
  for _, part in ipairs(redis.call("HGETALL", charges[day])) do table.insert(counted, part) end
end
return { redis.call("HGETALL", leases), counted, { text(since), text(now) } }
`

/**
 * ARGV then: the field of what is set, the credits spent. Charges of the day and leases that have ended are replaced by what
 * is set.
 */
export const setScript = `${begin}
if missing then return ask({}) end
local at = 2 + listed
redis.call("DEL", charges[since])
for _, day in ipairs(later) do redis.call("DEL", charges[day]) redis.call("HDEL", days, day) end
if tonumber(ARGV[at + 2]) > 0 then add(since, ARGV[at + 1], ARGV[at + 2]) end
local all = redis.call("HGETALL", leases)
for i = 1, #all, 2 do
  local ends = tonumber(string.match(all[i + 1], "^%S+ (%S+)"))
  if ends < now then redis.call("HDEL", leases, all[i]) end
end
return { "0", "0", "0", text(now) }
`
