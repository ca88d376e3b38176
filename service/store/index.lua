-- A match in the listings, unless something newer about it is there already.
--
-- KEYS: known, due, deadlines, then, for its game and for any game: the listing of any status, and of each status.
-- ARGV: match id, game, revision, member, 1 if it is public, place of its status among the statuses (from 1),
--       when it is due, and when its clocks are to be looked at, in ms since 1970 ('' never).
-- Answers 1 if it was written.

local id, game, rev, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local known = redis.call('HGET', KEYS[1], id)
if known and tonumber(string.match(known, '^%d+')) >= tonumber(rev) then
  return 0
end
redis.call('HSET', KEYS[1], id, rev .. ' ' .. game .. ' ' .. member)

for i = 2, 3 do
  if ARGV[i + 5] == '' then
    redis.call('ZREM', KEYS[i], id)
  else
    redis.call('ZADD', KEYS[i], ARGV[i + 5], id)
  end
end

if ARGV[5] == '1' then
  local listings = (#KEYS - 3) / 2
  for i = 1, #KEYS - 3 do
    local place = (i - 1) % listings
    if place == 0 or place == tonumber(ARGV[6]) then
      redis.call('ZADD', KEYS[3 + i], 0, member)
    else
      redis.call('ZREM', KEYS[3 + i], member)
    end
  end
end
return 1
