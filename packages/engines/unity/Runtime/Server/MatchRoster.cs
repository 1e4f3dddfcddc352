using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Who plays now.</summary>
    public sealed class MatchRoster
    {
        internal MatchRoster(long version, JsonArray teams)
        {
            Version = version;
            Teams = Wire.ListOf(teams, one => new ServerTeam(one));
        }

        /// <summary>The match's version: it grows when somebody comes or goes.</summary>
        public long Version { get; private set; }

        /// <summary>The teams, in the queue's order.</summary>
        public IReadOnlyList<ServerTeam> Teams { get; private set; }

        /// <summary>Who plays; null for anybody else.</summary>
        public ServerPlayer Find(string playerId)
        {
            foreach (var player in Players())
            {
                if (player.PlayerId == playerId) return player;
            }
            return null;
        }

        /// <summary>All of them, team by team.</summary>
        public IEnumerable<ServerPlayer> Players()
        {
            foreach (var team in Teams)
            {
                foreach (var player in team.Players) yield return player;
            }
        }
    }

    /// <summary>Who plays together.</summary>
    public sealed class ServerTeam
    {
        internal ServerTeam(JsonObject raw)
        {
            Name = raw.GetString("name") ?? "";
            Players = Wire.ListOf(raw.GetArray("players"), one => new ServerPlayer(Name, one));
        }

        /// <summary>As the queue names it.</summary>
        public string Name { get; private set; }

        /// <summary>Who plays in it now.</summary>
        public IReadOnlyList<ServerPlayer> Players { get; private set; }
    }

    /// <summary>Somebody who plays.</summary>
    public sealed class ServerPlayer
    {
        internal ServerPlayer(string team, JsonObject raw)
        {
            Team = team;
            PlayerId = raw.GetString("player_id") ?? "";
            Role = raw.GetString("role");
            LobbyId = raw.GetString("lobby_id") ?? "";
            State = raw.GetObject("state") ?? new JsonObject();
        }

        /// <summary>Who it is.</summary>
        public string PlayerId { get; private set; }

        /// <summary>The name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>The role, where the queue's teams have roles; null otherwise.</summary>
        public string Role { get; private set; }

        /// <summary>The lobby that brought them.</summary>
        public string LobbyId { get; private set; }

        /// <summary>Their state as it was when they were matched.</summary>
        public JsonObject State { get; private set; }
    }

    /// <summary>Who has left, and until when their old join tokens are good for nothing.</summary>
    internal sealed class Departures
    {
        private readonly Dictionary<string, DateTime> leftAt = new Dictionary<string, DateTime>(StringComparer.Ordinal);

        public void Note(string playerId)
        {
            lock (leftAt) leftAt[playerId] = DateTime.UtcNow;
        }

        public void Note(MatchRoster before, MatchRoster now)
        {
            foreach (var player in before.Players())
            {
                if (now.Find(player.PlayerId) == null) Note(player.PlayerId);
            }
            lock (leftAt)
            {
                foreach (var player in now.Players())
                {
                    if (before.Find(player.PlayerId) == null) leftAt.Remove(player.PlayerId);
                }
            }
        }

        /// <summary>Whether somebody left at this instant or after it.</summary>
        public bool HasLeftSince(string playerId, DateTime instant)
        {
            lock (leftAt)
            {
                DateTime at;
                return leftAt.TryGetValue(playerId, out at) && instant <= at;
            }
        }
    }
}
