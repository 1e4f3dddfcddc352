using System;
using System.Collections.Generic;
using System.Globalization;

namespace Matchyard
{
    /// <summary>A lobby at one version; it never changes.</summary>
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

        /// <summary>Id of the lobby.</summary>
        public string LobbyId { get; private set; }

        /// <summary>Queue of the lobby.</summary>
        public string QueueId { get; private set; }

        /// <summary>Status of the lobby.</summary>
        public LobbyStatus Status { get; private set; }

        /// <summary>Version, which grows by one with each change.</summary>
        public long Version { get; private set; }

        /// <summary>Player who may change the settings and start the search.</summary>
        public string HostPlayerId { get; private set; }

        /// <summary>Display name; null without one.</summary>
        public string Name
        {
            get { return Raw.GetString("name"); }
        }

        /// <summary>Invite code; null when the queue has no invite codes.</summary>
        public string InviteCode
        {
            get { return Raw.GetString("invite_code"); }
        }

        /// <summary>Whether the lobby is private, joined only by invite code.</summary>
        public bool IsPrivate
        {
            get { return Raw.GetBool("is_private") ?? false; }
        }

        /// <summary>Maximum number of players.</summary>
        public int MaxPlayers
        {
            get { return (int)(Raw.GetLong("max_players") ?? 0); }
        }

        /// <summary>Players in the order in which they joined.</summary>
        public IReadOnlyList<LobbyPlayer> Players { get; private set; }

        /// <summary>Settings of the game, for example map or mode.</summary>
        public JsonObject Settings { get; private set; }

        /// <summary>Match of the lobby; null without one.</summary>
        public string MatchId { get; private set; }

        /// <summary>Server of the match; null until it is known, and in matches without a server.</summary>
        public ServerAddress Server { get; private set; }

        /// <summary>Proposed match that the players must accept; null without one.</summary>
        public ProposalState Proposal { get; private set; }

        /// <summary>Last return to waiting; null before the first one.</summary>
        public LobbyExit LastExit { get; private set; }

        /// <summary>Full answer of the service, including fields that are newer than this package.</summary>
        public JsonObject Raw { get; private set; }

        /// <summary>Returns a player of the lobby; null for an unknown id.</summary>
        public LobbyPlayer Find(string playerId)
        {
            foreach (var player in Players)
            {
                if (player.PlayerId == playerId) return player;
            }
            return null;
        }
    }

    /// <summary>Status of a lobby.</summary>
    public enum LobbyStatus
    {
        /// <summary>A status that is newer than this package; see <see cref="LobbySnapshot.Raw"/>.</summary>
        Unknown,

        /// <summary>Players join and leave, settings change.</summary>
        Waiting,

        /// <summary>The lobby searches for a match, or its players are asked about one.</summary>
        InQueue,

        /// <summary>The match was made; its server starts.</summary>
        Matched,

        /// <summary>Started without matchmaking; the server starts.</summary>
        Starting,

        /// <summary>The match runs.</summary>
        InGame,
    }

    /// <summary>A player in a lobby.</summary>
    public sealed class LobbyPlayer
    {
        internal LobbyPlayer(JsonObject raw)
        {
            PlayerId = raw.GetString("player_id") ?? "";
            IsHost = raw.GetBool("is_host") ?? false;
            State = raw.GetObject("state") ?? new JsonObject();
        }

        /// <summary>Id of the player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Whether the player is the host.</summary>
        public bool IsHost { get; private set; }

        /// <summary>State of the player: rating, version, readiness; the fields that matchmaking rules read.</summary>
        public JsonObject State { get; private set; }
    }

    /// <summary>A return of a lobby to waiting.</summary>
    public sealed class LobbyExit
    {
        internal LobbyExit(JsonObject raw)
        {
            Reason = raw.GetString("reason") ?? "";
            Detail = raw.GetString("detail") ?? "";
            At = Wire.TimeOf(raw.GetString("at"));
            WillRequeue = raw.GetBool("will_requeue") ?? false;
        }

        /// <summary>
        /// Reason: <c>cancelled timeout player_left declined not_answered unmatchable launch_failed no_room build_missing match_ended
        /// server_stopped server_failed server_expired backend_ended matched_elsewhere banned match_expired</c>.
        /// </summary>
        public string Reason { get; private set; }

        /// <summary>Explanation for a developer.</summary>
        public string Detail { get; private set; }

        /// <summary>Time of the return.</summary>
        public DateTimeOffset At { get; private set; }

        /// <summary>Whether the service puts the lobby back into its queue in a moment, after a failed launch.</summary>
        public bool WillRequeue { get; private set; }
    }

    /// <summary>Translates statuses of the service's JSON into the enums of this package.</summary>
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

        /// <summary>Returns the time in a text; the minimum value for other text.</summary>
        public static DateTimeOffset TimeOf(string text)
        {
            DateTimeOffset at;
            return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out at) ? at : DateTimeOffset.MinValue;
        }
    }
}
