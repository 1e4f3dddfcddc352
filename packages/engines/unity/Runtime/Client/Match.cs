using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A match of this player.</summary>
    public sealed class Match
    {
        private readonly Lobby lobby;
        private readonly ServiceCalls calls;
        private ServerAddress server;
        private string joinToken;

        private Match(Lobby lobby, ServiceCalls calls, LobbySnapshot playing)
        {
            this.lobby = lobby;
            this.calls = calls;
            server = playing.Server;
            MatchId = playing.MatchId ?? "";
        }

        /// <summary>Id of the match.</summary>
        public string MatchId { get; private set; }

        /// <summary>Lobby of the match.</summary>
        public Lobby Lobby
        {
            get { return lobby; }
        }

        /// <summary>This player's seat in the match.</summary>
        public MatchPlayer Me { get; private set; }

        /// <summary>Teams at the time the match was found. Only the game server knows later players.</summary>
        public IReadOnlyList<MatchTeam> Teams { get; private set; }

        /// <summary>Whether the match has a server to connect to.</summary>
        public bool HasServer
        {
            get { return server != null; }
        }

        /// <summary>
        /// Task that completes with the exit of this lobby when the match ends. Fails when the lobby closes first.
        /// </summary>
        public Task<LobbyExit> Ended { get; private set; }

        /// <summary>
        /// Returns the address and the join token for a port; without a name, for the first port. Throws <see cref="ArgumentException"/>
        /// for an unknown port, and <see cref="InvalidOperationException"/> in a match without a server.
        /// </summary>
        public GameEndpoint Endpoint(string portName = null)
        {
            var current = lobby.Current;
            // The address is read from the newest state of the lobby, because a studio may move its own server during
            // the match.
            if (current.MatchId == MatchId && current.Server != null) server = current.Server;
            if (server == null) throw new InvalidOperationException("the match has no server: its queue launches none");
            return new GameEndpoint(server.Port(portName), joinToken);
        }

        /// <summary>
        /// Fetches another join token, for a player who reconnects more than five minutes after the last token;
        /// <see cref="Endpoint"/> contains it from then on.
        /// </summary>
        public async Task<string> RenewJoinToken(CancellationToken cancellation = default(CancellationToken))
        {
            var answer = await calls.Send(new ServiceCall("POST", "matches", MatchId, "join-token"), cancellation);
            joinToken = answer == null ? null : answer.GetString("token");
            return joinToken;
        }

        /// <summary>
        /// Keeps an open seat for a friend, who joins with <see cref="Lobby.JoinMatch"/> before the seat expires. A player keeps at most one
        /// seat; a second call replaces it. The queue must allow this (<c>matchmaking.late_join</c>).
        /// </summary>
        /// <exception cref="MatchyardException">The service rejected the call: <c>MATCH_FULL PLAYER_IN_MATCH INVALID_MATCH_STATE</c>.</exception>
        public async Task<KeptSeat> KeepSeat(string playerId, string team = null, int? holdSeconds = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = KeptSeat.Asked(playerId, team, holdSeconds);
            return new KeptSeat(await calls.Send(new ServiceCall("POST", "matches", MatchId, "seats") { Body = body }, cancellation) ?? new JsonObject());
        }

        /// <summary>Gives back the seat that is kept for a player.</summary>
        /// <exception cref="MatchyardException">No seat is kept (any more): <c>SEAT_NOT_FOUND</c>.</exception>
        public Task FreeSeat(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            return calls.Send(new ServiceCall("DELETE", "matches", MatchId, "seats", playerId), cancellation);
        }

        /// <summary>Reads the match of a lobby. A match that was read before is the same object, with a new join token.</summary>
        internal static async Task<Match> Open(Lobby lobby, ServiceCalls calls, LobbySnapshot playing, CancellationToken cancellation)
        {
            var known = lobby.Match;
            if (known != null && known.MatchId == playing.MatchId)
            {
                if (known.HasServer) await known.RenewJoinToken(cancellation);
                return known;
            }
            var match = new Match(lobby, calls, playing);
            var raw = await calls.Send(new ServiceCall("GET", "matches", match.MatchId), cancellation) ?? new JsonObject();
            match.Teams = Wire.ListOf(raw.GetArray("teams"), one => new MatchTeam(one));
            match.Me = match.Find(lobby.PlayerId);
            if (match.HasServer) await match.RenewJoinToken(cancellation);
            match.Ended = match.UntilEnded();
            // A game may not await this task, so its error must not become an unobserved error.
            Handlers.Forgive(match.Ended);
            lobby.Match = match;
            return match;
        }

        private async Task<LobbyExit> UntilEnded()
        {
            var after = await lobby.State.Until(now => now.MatchId != MatchId, CancellationToken.None);
            return after.LastExit ?? new LobbyExit(new JsonObject());
        }

        private MatchPlayer Find(string playerId)
        {
            MatchPlayer found = null;
            foreach (var team in Teams)
            {
                foreach (var player in team.Players)
                {
                    if (player.PlayerId == playerId) found = player;
                }
            }
            return found ?? new MatchPlayer(playerId, "", null);
        }
    }

    /// <summary>An open seat of a running match that is kept for one player.</summary>
    public sealed class KeptSeat
    {
        internal KeptSeat(JsonObject raw)
        {
            PlayerId = raw.GetString("player_id") ?? "";
            Team = raw.GetString("team") ?? "";
            ExpiresAt = Wire.TimeOf(raw.GetString("expires_at"));
        }

        /// <summary>Player who may take the seat.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>Time at which the seat is open for everybody again.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }

        internal static JsonObject Asked(string playerId, string team, int? holdSeconds)
        {
            var body = new JsonObject { { "player_id", playerId } };
            if (team != null) body.Add("team", team);
            if (holdSeconds != null) body.Add("hold", holdSeconds.Value);
            return body;
        }
    }

    /// <summary>A team of a match.</summary>
    public sealed class MatchTeam
    {
        internal MatchTeam(JsonObject raw)
        {
            Name = raw.GetString("name") ?? "";
            var players = new List<MatchPlayer>();
            foreach (var one in Wire.ListOf(raw.GetArray("players"), player => player))
            {
                // A player who has left the match is still listed, with the time of leaving. After a return, the player
                // may be listed a second time.
                if (one.GetString("left_at") == null) players.Add(new MatchPlayer(one.GetString("player_id") ?? "", Name, one.GetString("role")));
            }
            Players = players.AsReadOnly();
        }

        /// <summary>Name of the team in the queue.</summary>
        public string Name { get; private set; }

        /// <summary>Players of the team.</summary>
        public IReadOnlyList<MatchPlayer> Players { get; private set; }
    }

    /// <summary>A player's seat in a match.</summary>
    public sealed class MatchPlayer
    {
        internal MatchPlayer(string playerId, string team, string role)
        {
            PlayerId = playerId;
            Team = team;
            Role = role;
        }

        /// <summary>Id of the player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>Role in the team; null when the queue's teams have no roles.</summary>
        public string Role { get; private set; }
    }
}
