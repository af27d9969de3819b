/**
 * The agreed time where one server says what time it is: everyone reads the same one, so no second clock is needed. Where the
 * server's clock is behind what it has said before, the time stands still and all days since its own count, until it has
 * insisted for an hour; then charges of later days become charges of its day.
 */
import { dayMillis, insistedMillis, toleranceMillis } from "./AgreedTime.ts"

/**
 * Functions for a script that a Redis server runs: `server_time()` in milliseconds; `agree(clock, latest, doubt)`, which gives
 * whether the clock is believed, what time it is, the day of that, and the first day whose charges count; and
 * `text(number)` with every digit. `latest` is the time that was agreed last, `doubt` the first moment of a clock that is
 * behind it; both may be `nil`.
 */
export const serverTimeScript = `
local function text(value) return string.format("%.17g", value) end
local function day_of(time) return math.floor(time / ${dayMillis}) end
local function server_time()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function agree(clock, latest, doubt)
  latest = latest or clock
  local behind = clock < latest - ${toleranceMillis}
  local agreed = not behind or (doubt ~= nil and clock - doubt >= ${insistedMillis})
  local now = math.max(clock, latest)
  if behind then now = agreed and clock or latest end
  local today = day_of(now)
  return agreed, now, today, agreed and today or math.min(today, day_of(clock))
end
`
