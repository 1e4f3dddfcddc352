using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A match that this player plays in.</summary>
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

        /// <summary>By this it is known to the service.</summary>
        public string MatchId { get; private set; }

        /// <summary>The lobby that plays it.</summary>
        public Lobby Lobby
        {
            get { return lobby; }
        }

        /// <summary>This player's place in it.</summary>
        public MatchPlayer Me { get; private set; }

        /// <summary>Who plays, as it was when the match was found. The game server knows who came later.</summary>
        public IReadOnlyList<MatchTeam> Teams { get; private set; }

        /// <summary>Whether there is a server to connect to.</summary>
        public bool HasServer
        {
            get { return server != null; }
        }

        /// <summary>When it is over for this lobby: how it ended. It fails where the lobby closes before.</summary>
        public Task<LobbyExit> Ended { get; private set; }

        /// <summary>
        /// Where to connect and what to show there; without a name, the first port. Throws <see cref="ArgumentException"/> for a port that the
        /// server does not have, and <see cref="InvalidOperationException"/> in a match without a server.
        /// </summary>
        public GameEndpoint Endpoint(string portName = null)
        {
            var current = lobby.Current;
            // A studio's own server may move while it is played on.
            if (current.MatchId == MatchId && current.Server != null) server = current.Server;
            if (server == null) throw new InvalidOperationException("the match has no server: its queue launches none");
            return new GameEndpoint(server.Port(portName), joinToken);
        }

        /// <summary>Another join token, for who connects again after five minutes; <see cref="Endpoint"/> has it from then on.</summary>
        public async Task<string> RenewJoinToken(CancellationToken cancellation = default(CancellationToken))
        {
            var answer = await calls.Send(new ServiceCall("POST", "matches", MatchId, "join-token"), cancellation);
            joinToken = answer == null ? null : answer.GetString("token");
            return joinToken;
        }

        internal static async Task<Match> Open(Lobby lobby, ServiceCalls calls, LobbySnapshot playing, CancellationToken cancellation)
        {
            var match = new Match(lobby, calls, playing);
            var raw = await calls.Send(new ServiceCall("GET", "matches", match.MatchId), cancellation) ?? new JsonObject();
            match.Teams = Wire.ListOf(raw.GetArray("teams"), one => new MatchTeam(one));
            match.Me = match.Find(lobby.PlayerId);
            if (match.HasServer) await match.RenewJoinToken(cancellation);
            match.Ended = match.UntilEnded();
            // Who does not ask for the end is not to hear of it as an error that nobody looked at.
            Handlers.Forgive(match.Ended);
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

    /// <summary>Who plays together.</summary>
    public sealed class MatchTeam
    {
        internal MatchTeam(JsonObject raw)
        {
            Name = raw.GetString("name") ?? "";
            var players = new List<MatchPlayer>();
            foreach (var one in Wire.ListOf(raw.GetArray("players"), player => player))
            {
                // Who has left is told with the time, and may stand there a second time when they came back.
                if (one.GetString("left_at") == null) players.Add(new MatchPlayer(one.GetString("player_id") ?? "", Name, one.GetString("role")));
            }
            Players = players.AsReadOnly();
        }

        /// <summary>As the queue names it.</summary>
        public string Name { get; private set; }

        /// <summary>Who plays in it.</summary>
        public IReadOnlyList<MatchPlayer> Players { get; private set; }
    }

    /// <summary>A player's place in a match.</summary>
    public sealed class MatchPlayer
    {
        internal MatchPlayer(string playerId, string team, string role)
        {
            PlayerId = playerId;
            Team = team;
            Role = role;
        }

        /// <summary>Who it is.</summary>
        public string PlayerId { get; private set; }

        /// <summary>The name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>The role, where the queue's teams have roles; null otherwise.</summary>
        public string Role { get; private set; }
    }
}
