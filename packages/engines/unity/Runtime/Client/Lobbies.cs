using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Settings of a new lobby. Missing values are the queue's defaults.</summary>
    public sealed class NewLobby
    {
        /// <summary>State of this player: the fields that matchmaking rules read, and other data of the game.</summary>
        public IEnumerable<KeyValuePair<string, object>> State { get; set; }

        /// <summary>Settings of the lobby, for example map or mode.</summary>
        public IEnumerable<KeyValuePair<string, object>> Settings { get; set; }

        /// <summary>Whether the lobby is private, joined only by invite code.</summary>
        public bool IsPrivate { get; set; }

        /// <summary>Maximum number of players; not above the maximum of the queue.</summary>
        public int? MaxPlayers { get; set; }

        /// <summary>Display name in lists.</summary>
        public string Name { get; set; }

        /// <summary>Region code for a match that is started directly.</summary>
        public string Region { get; set; }
    }

    /// <summary>Creates, finds and joins lobbies.</summary>
    public sealed class Lobbies
    {
        private readonly ServiceCalls calls;
        private readonly PlayerCaller caller;
        private readonly Handlers handlers;
        private readonly List<Lobby> followed = new List<Lobby>();

        internal Lobbies(ServiceCalls calls, PlayerCaller caller, Handlers handlers)
        {
            this.calls = calls;
            this.caller = caller;
            this.handlers = handlers;
        }

        /// <summary>Creates a lobby with this player as the host.</summary>
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

        /// <summary>
        /// Joins a lobby, public or private, by its invite code. Errors: <c>INVALID_INVITE_CODE PLAYER_BANNED LOBBY_FULL
        /// LOBBY_NOT_ACCEPTING</c>.
        /// </summary>
        public Task<Lobby> JoinByCode(string inviteCode, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "invite_code", inviteCode } };
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", "join") { Body = body }, cancellation);
        }

        /// <summary>Joins a public lobby. Errors: <c>LOBBY_NOT_FOUND PLAYER_BANNED LOBBY_FULL LOBBY_NOT_ACCEPTING</c>.</summary>
        public Task<Lobby> Join(string lobbyId, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject();
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", lobbyId, "join") { Body = body }, cancellation);
        }

        /// <summary>
        /// Joins the fullest public lobby of the queue with a free seat and with these settings (at most four, compared
        /// for equality), or creates a lobby.
        /// </summary>
        public Task<Lobby> QuickJoin(string queueId, IEnumerable<KeyValuePair<string, object>> filter = null, IEnumerable<KeyValuePair<string, object>> state = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "queue_id", queueId } };
            AddUnlessNull(body, "filter", Copied.Of(filter));
            AddUnlessNull(body, "state", Copied.Of(state));
            return Open(new ServiceCall("POST", "lobbies", "quick-join") { Body = body }, cancellation);
        }

        /// <summary>
        /// Returns this player's newest lobby, for a game that was closed; null when there is none. While its match
        /// runs, <see cref="Lobby.FindMatch"/> returns the match at once.
        /// </summary>
        public async Task<Lobby> Resume(CancellationToken cancellation = default(CancellationToken))
        {
            var answer = await calls.Send(new ServiceCall("GET", "players", "me", "lobbies").With("limit", 1), cancellation);
            var found = Wire.ListOf(answer == null ? null : answer.GetArray("data"), one => new LobbySnapshot(one));
            return found.Count == 0 ? null : Follow(found[0], await caller.WhoPlays(cancellation));
        }

        /// <summary>
        /// Returns public lobbies in waiting, newest first: at most <paramref name="limit"/> (1 to 100) lobbies, after
        /// the first <paramref name="offset"/>. Lobbies whose host is absent are listed only with
        /// <paramref name="includeAbsent"/>; without it, two pages may have the same lobby.
        /// </summary>
        public async Task<IReadOnlyList<LobbySnapshot>> Browse(string queueId = null, int limit = 50, int offset = 0, bool includeAbsent = false, CancellationToken cancellation = default(CancellationToken))
        {
            var call = new ServiceCall("GET", "lobbies") { IsAnonymous = true };
            call.With("queue_id", queueId).With("status", "waiting").With("limit", limit).With("offset", offset);
            call.With("include_absent", includeAbsent ? "true" : null);
            var answer = await calls.Send(call, cancellation);
            return Wire.ListOf(answer == null ? null : answer.GetArray("data"), one => new LobbySnapshot(one));
        }

        internal async Task<Lobby> Open(ServiceCall call, CancellationToken cancellation)
        {
            var answer = await calls.Send(call, cancellation) ?? new JsonObject();
            return Follow(new LobbySnapshot(answer), await caller.WhoPlays(cancellation));
        }

        /// <summary>Returns an open lobby of this client whose present state fulfils the condition; null when there is none.</summary>
        internal Lobby Followed(Func<LobbySnapshot, bool> holds)
        {
            lock (followed)
            {
                followed.RemoveAll(lobby => lobby.Closure != null);
                return followed.Find(lobby => holds(lobby.Current));
            }
        }

        /// <summary>Returns the object of a lobby; an open lobby has only one.</summary>
        private Lobby Follow(LobbySnapshot now, string playerId)
        {
            Lobby known;
            lock (followed)
            {
                known = Followed(one => one.LobbyId == now.LobbyId);
                if (known == null)
                {
                    var lobby = new Lobby(calls, handlers, playerId, now);
                    followed.Add(lobby);
                    return lobby;
                }
            }
            known.State.Take(now);
            return known;
        }

        private static void AddUnlessNull(JsonObject body, string name, object value)
        {
            if (value != null) body.Add(name, value);
        }
    }
}
