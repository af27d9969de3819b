/** The operations that the Redis server runs atomically, as its own scripts: the two operations of a `LedgerStore`. */
import { shareAhead } from "./store.ts"

/**
 * KEYS: leases, the charges of today, the charges of each day that an entry is of.
 * ARGV: owner, start of today, lease until, daily, open, need, extra, kept, number, last (0 or 1), seconds to keep; then for
 * each entry its number, the index of its day in KEYS, its field and its credits.
 * Replies with what was granted, what was free, what others hold.
 */
export const stepScript = `
local leases, today = KEYS[1], KEYS[2]
local owner, day_start, lasts = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local daily = ARGV[4] == "Infinity" and math.huge or tonumber(ARGV[4])
local open, need, extra, kept = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local number, last, seconds = ARGV[9], ARGV[10] == "1", ARGV[11]
local function text(value) return string.format("%.17g", value) end

local own = redis.call("HGET", leases, owner)
local written = own and tonumber(string.match(own, "(%d+)$")) or -1
for i = 12, #ARGV, 4 do
  if tonumber(ARGV[i]) > written then
    local day = KEYS[tonumber(ARGV[i + 1])]
    redis.call("HINCRBYFLOAT", day, ARGV[i + 2], ARGV[i + 3])
    redis.call("EXPIRE", day, seconds)
  end
end

local free = daily - open
for _, credits in ipairs(redis.call("HVALS", today)) do free = free - tonumber(credits) end
local others = 0
local all = redis.call("HGETALL", leases)
for i = 1, #all, 2 do
  if all[i] ~= owner then
    local credits, ends = string.match(all[i + 1], "^(%S+) (%S+)")
    if tonumber(ends) < day_start then redis.call("HDEL", leases, all[i])
    else others = others + tonumber(credits) end
  end
end
free = free - others

local granted = 0
local plenty = free - kept - need
if plenty >= 0 then granted = need + math.min(extra, math.floor(plenty / ${shareAhead})) end
if last and open + granted == 0 then redis.call("HDEL", leases, owner)
else
  redis.call("HSET", leases, owner, text(open + granted) .. " " .. lasts .. " " .. number)
  redis.call("EXPIRE", leases, seconds)
end
return { text(granted), text(free), text(others) }
`

/** KEYS: leases, the charges of today. Replies with both, whole. */
export const accountScript = `return { redis.call("HGETALL", KEYS[1]), redis.call("HGETALL", KEYS[2]) }`

/**
 * KEYS: leases, the charges of today. ARGV: now, the field of what is set, the credits spent, seconds to keep. Charges of the
 * day and leases that have ended are replaced by what is set.
 */
export const setScript = `
redis.call("DEL", KEYS[2])
if tonumber(ARGV[3]) > 0 then
  redis.call("HSET", KEYS[2], ARGV[2], ARGV[3])
  redis.call("EXPIRE", KEYS[2], ARGV[4])
end
local all = redis.call("HGETALL", KEYS[1])
for i = 1, #all, 2 do
  local ends = tonumber(string.match(all[i + 1], "^%S+ (%S+)"))
  if ends < tonumber(ARGV[1]) then redis.call("HDEL", KEYS[1], all[i]) end
end
return { "0", "0", "0" }
`
