-- One write to a match: all of it or nothing, if nobody wrote since it was read.
--
-- KEYS: match, events, outbox, ended, answer, then those of the states to write, then those
--       of every state kept, if the match ended.
-- ARGV: expected revision (0: there must be none), version, status, blob,
--       time to keep in ms ('' for ever), the answer to record ('' none), its time to keep in ms,
--       1 if somebody has to be told though the status stays, when the clock in the blob began to run in ms
--       since 1970 ('0' before this write, '' there is no clock), the deal if the match starts ('' it does not),
--       number of events, their version and bytes in turn, number of states, their bytes.
-- Tells on the channel named like the match: its revision, version and status.
-- Answers {'committed', revision, 1 if the index has to follow, 2 if somebody has to be told, late} or {'stale', revision, blob, late}
--       or {'gone'} or {'repeated', answer}. Nothing is written unless it answers 'committed'.
--
-- `late` is in ms what has passed from the beginning of the clock until now: it is not to run before it is
-- stored. More than a second is a stall, which is credited, or the server's clock is another one.

local answer = ARGV[6]
if answer ~= '' then
  local recorded = redis.call('GET', KEYS[5])
  if recorded then
    return {'repeated', recorded}
  end
end

local stored = redis.call('HMGET', KEYS[1], 'rev', 'blob', 'status', 'late')
local rev = tonumber(stored[1] or 0)
if rev ~= tonumber(ARGV[1]) then
  if rev == 0 then
    return {'gone'}
  end
  return {'stale', rev, stored[2], tonumber(stored[4] or 0)}
end

-- First what can fail: an event that is not the next one. A script is not rolled back.
local at = 12
for _ = 1, tonumber(ARGV[11]) do
  redis.call('XADD', KEYS[2], ARGV[at] .. '-0', 'e', ARGV[at + 1])
  at = at + 2
end
rev = rev + 1
redis.call('HSET', KEYS[1], 'rev', rev, 'version', ARGV[2], 'status', ARGV[3], 'blob', ARGV[4])
if ARGV[10] ~= '' then
  redis.call('HSET', KEYS[1], 'deal', ARGV[10])
end
local late = 0
if ARGV[9] ~= '' then
  local time = redis.call('TIME')
  late = math.floor(time[1] * 1000 + time[2] / 1000) - tonumber(ARGV[9])
  if late < 0 or late > 1000 then
    late = 0
  end
  redis.call('HSET', KEYS[1], 'late', late)
end
for i = 1, tonumber(ARGV[at]) do
  redis.call('SET', KEYS[5 + i], ARGV[at + i])
end

if answer ~= '' then
  redis.call('SET', KEYS[5], answer, 'PX', ARGV[7])
end

local follows = 0
if stored[3] ~= ARGV[3] then
  follows = 1
elseif ARGV[8] == '1' then
  follows = 2
end
if follows > 0 then
  redis.call('SET', KEYS[3], rev)
end

local keep = ARGV[5]
if keep ~= '' then
  redis.call('PEXPIRE', KEYS[1], keep)
  redis.call('PEXPIRE', KEYS[2], keep)
  for i = 6, #KEYS do
    redis.call('PEXPIRE', KEYS[i], keep)
  end
  redis.call('SET', KEYS[4], 1, 'PX', 2 * keep)
end

-- What is written stands, even if this user of the server may not publish (ACL).
redis.pcall('PUBLISH', KEYS[1], rev .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])

return {'committed', rev, follows, late}
