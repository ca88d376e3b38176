-- Requests out of a bucket, as many as are needed and left, and some ahead of need while there are plenty.
--
-- KEYS: the bucket, a hash of `level` (requests left, a fraction too) and `at` (ms since 1970).
-- ARGV: what it holds, ms in which it fills, requests needed now, requests taken at most.
-- Answers {granted, left, ms until one more is there (0 if one was granted), ms until it is full}.

local holds, fills = tonumber(ARGV[1]), tonumber(ARGV[2])
local needed, most = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local known = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = tonumber(known[1] or holds)
local passed = math.max(0, now - tonumber(known[2] or now))
level = math.min(holds, level + passed * holds / fills)

-- Ahead of need an eighth at most: what one worker has taken, others cannot give.
local granted = math.min(math.floor(level), math.max(needed, math.min(most, math.floor(level / 8))))
level = level - granted

local full = math.ceil((holds - level) * fills / holds)
redis.call('HSET', KEYS[1], 'level', string.format('%.6f', level), 'at', now)
redis.call('PEXPIRE', KEYS[1], full + 1)
local wait = 0
if granted == 0 then
  wait = math.ceil((1 - level) * fills / holds)
end
return {granted, math.floor(level), wait, full}
