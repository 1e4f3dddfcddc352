using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Present players of a match.</summary>
    public sealed class MatchRoster
    {
        internal MatchRoster(long version, JsonArray teams)
        {
            Version = version;
            Teams = Wire.ListOf(teams, one => new ServerTeam(one));
        }

        /// <summary>Version of the match, which grows when players join or leave.</summary>
        public long Version { get; private set; }

        /// <summary>Teams, in the queue's order.</summary>
        public IReadOnlyList<ServerTeam> Teams { get; private set; }

        /// <summary>Returns a present player; null for any other id.</summary>
        public ServerPlayer Find(string playerId)
        {
            foreach (var player in Players())
            {
                if (player.PlayerId == playerId) return player;
            }
            return null;
        }

        /// <summary>Returns all players, team by team.</summary>
        public IEnumerable<ServerPlayer> Players()
        {
            foreach (var team in Teams)
            {
                foreach (var player in team.Players) yield return player;
            }
        }
    }

    /// <summary>A team of the match.</summary>
    public sealed class ServerTeam
    {
        internal ServerTeam(JsonObject raw)
        {
            Name = raw.GetString("name") ?? "";
            Players = Wire.ListOf(raw.GetArray("players"), one => new ServerPlayer(Name, one));
        }

        /// <summary>Name of the team in the queue.</summary>
        public string Name { get; private set; }

        /// <summary>Present players of the team.</summary>
        public IReadOnlyList<ServerPlayer> Players { get; private set; }
    }

    /// <summary>A present player.</summary>
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

        /// <summary>Id of the player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>Role in the team; null when the queue's teams have no roles.</summary>
        public string Role { get; private set; }

        /// <summary>Lobby of the player.</summary>
        public string LobbyId { get; private set; }

        /// <summary>State of the player at the time of matching.</summary>
        public JsonObject State { get; private set; }
    }

    /// <summary>
    /// Players who have left the match, with the time of leaving, so that their old join tokens are refused.
    /// </summary>
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

        /// <summary>Whether a player left at this time or later.</summary>
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
