using System;
using System.Collections.Generic;
using System.Globalization;

namespace Matchyard
{
    /// <summary>A lobby as it was at one version. It never changes.</summary>
    public sealed class LobbySnapshot
    {
        internal LobbySnapshot(JsonObject raw)
        {
            Raw = raw;
            LobbyId = raw.GetString("lobby_id") ?? "";
            QueueId = raw.GetString("queue_id") ?? "";
            Status = Wire.StatusOf(raw.GetString("status"));
            Version = raw.GetLong("version") ?? 0;
            HostPlayerId = raw.GetString("host_player_id") ?? "";
            Players = Wire.ListOf(raw.GetArray("players"), one => new LobbyPlayer(one));
            MatchId = raw.GetString("match_id");
            Server = Wire.MaybeOf(raw.GetObject("server"), one => new ServerAddress(one));
            Proposal = Wire.MaybeOf(raw.GetObject("proposal"), one => new ProposalState(one));
            LastExit = Wire.MaybeOf(raw.GetObject("last_exit"), one => new LobbyExit(one));
            Settings = raw.GetObject("settings") ?? new JsonObject();
        }

        /// <summary>By this it is known to the service.</summary>
        public string LobbyId { get; private set; }

        /// <summary>The queue that it belongs to.</summary>
        public string QueueId { get; private set; }

        /// <summary>What it does now.</summary>
        public LobbyStatus Status { get; private set; }

        /// <summary>Grows by one with every change.</summary>
        public long Version { get; private set; }

        /// <summary>Who may change its settings and send it to matchmaking.</summary>
        public string HostPlayerId { get; private set; }

        /// <summary>Its name; null where it has none.</summary>
        public string Name
        {
            get { return Raw.GetString("name"); }
        }

        /// <summary>With this others join it; null where the queue gives none.</summary>
        public string InviteCode
        {
            get { return Raw.GetString("invite_code"); }
        }

        /// <summary>Whether it is joined by invite code only.</summary>
        public bool IsPrivate
        {
            get { return Raw.GetBool("is_private") ?? false; }
        }

        /// <summary>How many may be in it.</summary>
        public int MaxPlayers
        {
            get { return (int)(Raw.GetLong("max_players") ?? 0); }
        }

        /// <summary>Who is in it, in the order in which they came.</summary>
        public IReadOnlyList<LobbyPlayer> Players { get; private set; }

        /// <summary>Yours: the map, the mode.</summary>
        public JsonObject Settings { get; private set; }

        /// <summary>The match that it plays; null outside of one.</summary>
        public string MatchId { get; private set; }

        /// <summary>Where it is played; null until that is known, and in matches without a server.</summary>
        public ServerAddress Server { get; private set; }

        /// <summary>A match that its players are asked about; null otherwise.</summary>
        public ProposalState Proposal { get; private set; }

        /// <summary>How it came back to waiting the last time; null before that.</summary>
        public LobbyExit LastExit { get; private set; }

        /// <summary>All that the service said, fields included that are newer than this package.</summary>
        public JsonObject Raw { get; private set; }

        /// <summary>A member; null where there is no such player.</summary>
        public LobbyPlayer Find(string playerId)
        {
            foreach (var player in Players)
            {
                if (player.PlayerId == playerId) return player;
            }
            return null;
        }
    }

    /// <summary>What a lobby does.</summary>
    public enum LobbyStatus
    {
        /// <summary>A status that is newer than this package; see <see cref="LobbySnapshot.Raw"/>.</summary>
        Unknown,

        /// <summary>Players come and go, settings change.</summary>
        Waiting,

        /// <summary>It searches for a match, or its players are asked about one.</summary>
        InQueue,

        /// <summary>The match is made; its server is on the way.</summary>
        Matched,

        /// <summary>Started without matchmaking; its server is on the way.</summary>
        Starting,

        /// <summary>It plays.</summary>
        InGame,
    }

    /// <summary>Somebody in a lobby.</summary>
    public sealed class LobbyPlayer
    {
        internal LobbyPlayer(JsonObject raw)
        {
            PlayerId = raw.GetString("player_id") ?? "";
            IsHost = raw.GetBool("is_host") ?? false;
            State = raw.GetObject("state") ?? new JsonObject();
        }

        /// <summary>Who it is.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Whether this is the host.</summary>
        public bool IsHost { get; private set; }

        /// <summary>Theirs: rating, version, readiness; what matchmaking's rules read.</summary>
        public JsonObject State { get; private set; }
    }

    /// <summary>How a lobby came back to waiting.</summary>
    public sealed class LobbyExit
    {
        internal LobbyExit(JsonObject raw)
        {
            Reason = raw.GetString("reason") ?? "";
            Detail = raw.GetString("detail") ?? "";
            At = Wire.TimeOf(raw.GetString("at"));
        }

        /// <summary>
        /// <c>cancelled timeout player_left declined not_answered unmatchable launch_failed no_room build_missing match_ended server_stopped
        /// server_failed server_expired backend_ended matched_elsewhere banned match_expired</c>.
        /// </summary>
        public string Reason { get; private set; }

        /// <summary>A sentence for a developer.</summary>
        public string Detail { get; private set; }

        /// <summary>When.</summary>
        public DateTimeOffset At { get; private set; }
    }

    /// <summary>From the words of the wire to those of this package.</summary>
    internal static class Wire
    {
        public static LobbyStatus StatusOf(string status)
        {
            switch (status)
            {
                case "waiting": return LobbyStatus.Waiting;
                case "in_queue": return LobbyStatus.InQueue;
                case "matched": return LobbyStatus.Matched;
                case "starting": return LobbyStatus.Starting;
                case "in_game": return LobbyStatus.InGame;
                default: return LobbyStatus.Unknown;
            }
        }

        public static IReadOnlyList<T> ListOf<T>(JsonArray items, Func<JsonObject, T> read)
        {
            var found = new List<T>();
            if (items != null)
            {
                foreach (var item in items.Objects()) found.Add(read(item));
            }
            return found.AsReadOnly();
        }

        public static T MaybeOf<T>(JsonObject raw, Func<JsonObject, T> read) where T : class
        {
            return raw == null ? null : read(raw);
        }

        /// <summary>An instant; the least that there is where it is none.</summary>
        public static DateTimeOffset TimeOf(string text)
        {
            DateTimeOffset at;
            return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out at) ? at : DateTimeOffset.MinValue;
        }
    }
}
