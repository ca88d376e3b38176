-- What a player is to know of a tournament: said in the player's stream, unless it was said before.
--
-- KEYS: told, events, both of the player. ARGV: channel, tournament id, round, stage (the round, or 'over'),
--       entries of the stream kept at most, about, and how long it is kept after its last one, in ms.
-- Answers 1 if it was said.

if redis.call('HGET', KEYS[1], 'stage') == ARGV[4] then
  return 0
end
local kind = 'tournament_round'
if ARGV[4] == 'over' then
  kind = 'tournament_over'
elseif ARGV[3] == '1' then
  kind = 'tournament_started'
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], '*', 'k', kind, 'm', ARGV[2], 'v', ARGV[3], 'a', '0')
redis.call('PEXPIRE', KEYS[2], ARGV[6])
redis.call('HSET', KEYS[1], 'stage', ARGV[4])
redis.call('PEXPIRE', KEYS[1], 86400000 * 100)
redis.pcall('PUBLISH', ARGV[1], '')
return 1
