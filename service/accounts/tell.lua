-- What a player is to know of a match at a revision: said in the player's stream, unless it was said before.
--
-- KEYS: told, events, live, matches, all of the player. ARGV: channel, match id, member of a listing, revision,
--       status, version, role ('seated' or 'invited'), version at which it is the player's turn ('' it is not),
--       entries of the stream kept at most, about, how long it is kept after its last one, and how long it is
--       kept in mind what was told, both in ms.
-- Answers how many entries were added.

local match, rev, status, version, role, turn = ARGV[2], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local told = redis.call('HMGET', KEYS[1], 'rev', 'status', 'version', 'turn', 'role')
if told[1] and tonumber(told[1]) >= tonumber(rev) then
  return 0
end

local added = 0
local function say(kind)
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[9], '*',
    'k', kind, 'm', match, 'v', version, 'a', told[3] or '0')
  added = added + 1
end

local is_over = status ~= 'open' and status ~= 'running'
local is_seated = role == 'seated'
local has_begun = told[2] == 'running' and told[5] == 'seated'
if is_seated then
  if status == 'running' and not has_begun then
    say('match_started')
  end
  if tonumber(version) > tonumber(told[3] or '0') then
    say('moved')
  end
  if turn ~= '' and turn ~= told[4] then
    say('your_turn')
  end
  redis.call('ZADD', KEYS[4], 0, ARGV[3])
elseif status == 'open' then
  if told[5] ~= 'invited' then
    say('invited')
  end
  redis.call('ZADD', KEYS[4], 0, ARGV[3])
else
  redis.call('ZREM', KEYS[4], ARGV[3])
end

if is_over and (is_seated or told[5]) and told[2] ~= status then
  say('match_over')
end
if is_over or (status == 'running' and not is_seated) then
  redis.call('SREM', KEYS[3], match)
else
  redis.call('SADD', KEYS[3], match)
end

redis.call('HSET', KEYS[1], 'rev', rev, 'status', status, 'version', version, 'turn', turn, 'role', role)
redis.call('PEXPIRE', KEYS[1], ARGV[11])
if added > 0 then
  redis.call('PEXPIRE', KEYS[2], ARGV[10])
  redis.pcall('PUBLISH', ARGV[1], '')
end
return added
