using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>What a new lobby is like. What is left out is the queue's default.</summary>
    public sealed class NewLobby
    {
        /// <summary>This player's state: what matchmaking's rules read, and whatever else the game keeps there.</summary>
        public IEnumerable<KeyValuePair<string, object>> State { get; set; }

        /// <summary>The lobby's settings: the map, the mode.</summary>
        public IEnumerable<KeyValuePair<string, object>> Settings { get; set; }

        /// <summary>Joined by invite code only.</summary>
        public bool IsPrivate { get; set; }

        /// <summary>At most the queue's.</summary>
        public int? MaxPlayers { get; set; }

        /// <summary>Shown in lists.</summary>
        public string Name { get; set; }

        /// <summary>Where a direct start is played: a region's code.</summary>
        public string Region { get; set; }
    }

    /// <summary>Makes, finds and joins lobbies.</summary>
    public sealed class Lobbies
    {
        private readonly ServiceCalls calls;
        private readonly PlayerCaller caller;
        private readonly Handlers handlers;

        internal Lobbies(ServiceCalls calls, PlayerCaller caller, Handlers handlers)
        {
            this.calls = calls;
            this.caller = caller;
            this.handlers = handlers;
        }

        /// <summary>Makes a lobby, whose host this player is.</summary>
        public Task<Lobby> Create(string queueId, NewLobby lobby = null, CancellationToken cancellation = default(CancellationToken))
        {
            var wanted = lobby ?? new NewLobby();
            var body = new JsonObject { { "queue_id", queueId } };
            AddUnlessNull(body, "state", Copied.Of(wanted.State));
            AddUnlessNull(body, "settings", Copied.Of(wanted.Settings));
            AddUnlessNull(body, "max_players", wanted.MaxPlayers);
            AddUnlessNull(body, "name", wanted.Name);
            AddUnlessNull(body, "region", wanted.Region);
            if (wanted.IsPrivate) body.Add("is_private", true);
            return Open(new ServiceCall("POST", "lobbies") { Body = body }, cancellation);
        }

        /// <summary>Joins by invite code, private lobbies too. <c>INVALID_INVITE_CODE PLAYER_BANNED LOBBY_FULL LOBBY_NOT_ACCEPTING</c>.</summary>
        public Task<Lobby> JoinByCode(string inviteCode, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "invite_code", inviteCode } };
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", "join") { Body = body }, cancellation);
        }

        /// <summary>Joins a public lobby. <c>LOBBY_NOT_FOUND PLAYER_BANNED LOBBY_FULL LOBBY_NOT_ACCEPTING</c>.</summary>
        public Task<Lobby> Join(string lobbyId, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject();
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", lobbyId, "join") { Body = body }, cancellation);
        }

        /// <summary>
        /// Joins the fullest public lobby of the queue that has a free seat and these settings (at most four, each equal), or makes one.
        /// </summary>
        public Task<Lobby> QuickJoin(string queueId, IEnumerable<KeyValuePair<string, object>> filter = null, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "queue_id", queueId } };
            AddUnlessNull(body, "filter", Copied.Of(filter));
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", "quick-join") { Body = body }, cancellation);
        }

        /// <summary>
        /// The newest lobby in which this player is, for a game that was closed or lost its memory; null where there is none. If it plays,
        /// <see cref="Lobby.FindMatch"/> is that match at once.
        /// </summary>
        public async Task<Lobby> Resume(CancellationToken cancellation = default(CancellationToken))
        {
            var answer = await calls.Send(new ServiceCall("GET", "players", "me", "lobbies").With("limit", 1), cancellation);
            var found = Wire.ListOf(answer == null ? null : answer.GetArray("data"), one => new LobbySnapshot(one));
            return found.Count == 0 ? null : new Lobby(calls, handlers, await caller.WhoPlays(cancellation), found[0]);
        }

        /// <summary>Public lobbies that wait, newest first: up to <paramref name="limit"/> (1 to 100) of them from <paramref name="offset"/> on.</summary>
        public async Task<IReadOnlyList<LobbySnapshot>> Browse(string queueId = null, int limit = 50, int offset = 0, CancellationToken cancellation = default(CancellationToken))
        {
            var call = new ServiceCall("GET", "lobbies") { IsAnonymous = true };
            call.With("queue_id", queueId).With("status", "waiting").With("limit", limit).With("offset", offset);
            var answer = await calls.Send(call, cancellation);
            return Wire.ListOf(answer == null ? null : answer.GetArray("data"), one => new LobbySnapshot(one));
        }

        private async Task<Lobby> Open(ServiceCall call, CancellationToken cancellation)
        {
            var answer = await calls.Send(call, cancellation) ?? new JsonObject();
            return new Lobby(calls, handlers, await caller.WhoPlays(cancellation), new LobbySnapshot(answer));
        }

        private static void AddUnlessNull(JsonObject body, string name, object value)
        {
            if (value != null) body.Add(name, value);
        }
    }
}
