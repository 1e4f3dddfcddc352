using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A lobby of this player. It updates itself until the player leaves it, or until it is closed or disposed.</summary>
    public sealed class Lobby : IDisposable
    {
        private readonly ServiceCalls calls;
        private readonly Handlers handlers;
        private readonly CancellationTokenSource disposed;
        private ConnectionState connection = ConnectionState.Live;

        internal Lobby(ServiceCalls calls, Handlers handlers, string playerId, LobbySnapshot first)
        {
            this.calls = calls;
            this.handlers = handlers;
            disposed = CancellationTokenSource.CreateLinkedTokenSource(calls.Ended);
            PlayerId = playerId;
            State = new LobbyState(first, handlers, TellChange, TellClosed);
            var watch = new LobbyWatch(calls, State, () => PlayerId, TellConnection);
            // The task should never throw. If it does, the error is reported to the game.
            handlers.Watch(watch.Run(disposed.Token));
        }

        /// <summary>
        /// The lobby changed; the arguments are its present and its previous state. Versions in quick succession are reported as one
        /// change.
        /// </summary>
        public event Action<LobbySnapshot, LobbySnapshot> Changed;

        /// <summary>A player joined.</summary>
        public event Action<LobbyPlayer> PlayerJoined;

        /// <summary>Another player left.</summary>
        public event Action<LobbyPlayer> PlayerLeft;

        /// <summary>
        /// The connection to the service was lost or restored. Changes that were missed meanwhile are fetched
        /// automatically.
        /// </summary>
        public event Action<ConnectionState> ConnectionChanged;

        /// <summary>The lobby was closed; raised once.</summary>
        public event Action<LobbyClosure> Closed;

        /// <summary>Newest known state of the lobby.</summary>
        public LobbySnapshot Current
        {
            get { return State.Current; }
        }

        /// <summary>Reason of the closure; null while the lobby is open.</summary>
        public LobbyClosure Closure
        {
            get { return State.Closure; }
        }

        /// <summary>State of the connection to the service.</summary>
        public ConnectionState Connection
        {
            get { return connection; }
        }

        /// <summary>Id of this player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>
        /// Whether this player is the host, the only player who may change settings, remove players and start the search.
        /// </summary>
        public bool IsHost
        {
            get { return Current.HostPlayerId == PlayerId; }
        }

        internal LobbyState State { get; private set; }

        /// <summary>Last match that was read; null before the first.</summary>
        internal Match Match { get; set; }

        /// <summary>
        /// Changes this player's state. Given keys replace those of the same name; with <paramref name="merge"/> false the whole state is
        /// replaced. Throws <c>PARTY_CANNOT_MATCH</c> if the lobby searches and could then never be matched.
        /// </summary>
        public async Task SetState(IEnumerable<KeyValuePair<string, object>> state, bool merge = true, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "state", Copied.Of(state) }, { "merge", merge } };
            await calls.Send(new ServiceCall("PATCH", "lobbies", Current.LobbyId, "players", PlayerId) { Body = body }, cancellation);
        }

        /// <summary>Replaces the settings. Only the host, while the lobby waits (<c>NOT_HOST</c>, <c>INVALID_LOBBY_STATE</c>).</summary>
        public Task<LobbySnapshot> SetSettings(IEnumerable<KeyValuePair<string, object>> settings, CancellationToken cancellation = default(CancellationToken))
        {
            return Update(new JsonObject { { "settings", Copied.Of(settings) } }, cancellation);
        }

        /// <summary>
        /// Changes any of <c>name queue_id region is_private max_players settings</c>. Only the host, while the lobby waits.
        /// </summary>
        public Task<LobbySnapshot> Update(IEnumerable<KeyValuePair<string, object>> changes, CancellationToken cancellation = default(CancellationToken))
        {
            return Change(new ServiceCall("PATCH", "lobbies", Current.LobbyId, "settings") { Body = Copied.Of(changes) }, cancellation);
        }

        /// <summary>Removes another player. Only the host.</summary>
        public async Task Kick(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await calls.Send(new ServiceCall("DELETE", "lobbies", Current.LobbyId, "players", playerId), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.PlayerNotInLobby) && error.Status == 404)
            {
                // The player has already been removed, perhaps by the first attempt of this call, whose answer was
                // lost.
            }
        }

        /// <summary>
        /// Bans a player from this lobby, and removes the player if present. Only the host. At most 100 bans (<c>BAN_LIMIT</c>).
        /// </summary>
        public Task<LobbySnapshot> Ban(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "player_id", playerId } };
            return Change(new ServiceCall("POST", "lobbies", Current.LobbyId, "bans") { Body = body }, cancellation);
        }

        /// <summary>Removes the ban of a player. Only the host. A player without a ban is no error.</summary>
        public async Task Unban(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await calls.Send(new ServiceCall("DELETE", "lobbies", Current.LobbyId, "bans", playerId), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.BanNotFound))
            {
                // The player is not banned, which is the requested state.
            }
        }

        /// <summary>Leaves the lobby and closes this object. A lobby that searches returns to waiting.</summary>
        public async Task Leave(CancellationToken cancellation = default(CancellationToken))
        {
            if (Closure != null && Closure.End != LobbyEnd.Disposed) return;
            try
            {
                await calls.Send(new ServiceCall("POST", "lobbies", Current.LobbyId, "leave"), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.PlayerNotInLobby) || error.Is(ErrorCodes.LobbyNotFound))
            {
                // The player is not in the lobby, which is the requested state.
            }
            State.Close(new LobbyClosure(LobbyEnd.Left));
            disposed.Cancel();
        }

        /// <summary>Starts a match of this lobby alone, without matchmaking. Only the host.</summary>
        public Task<LobbySnapshot> Start(CancellationToken cancellation = default(CancellationToken))
        {
            return Change(new ServiceCall("POST", "lobbies", Current.LobbyId, "start"), cancellation);
        }

        /// <summary>
        /// Searches for a match and waits until it can be played. The host's call starts the search; calls of other
        /// members wait for it. When the lobby's match already runs, the method returns that match at once. Cancelling
        /// the token ends the search.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The search ended without a match.</exception>
        /// <exception cref="LobbyClosedException">The lobby was closed, or the player was removed.</exception>
        /// <exception cref="MatchyardException">The service rejected the call: <c>PARTY_TOO_LARGE PARTY_CANNOT_MATCH PLAYER_COOLING_DOWN
        /// QUEUE_DISABLED</c> …</exception>
        public Task<Match> FindMatch(FindMatchOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            return new MatchSearch(this, calls, handlers, options ?? new FindMatchOptions()).Run(cancellation);
        }

        /// <summary>
        /// Joins a running match, in which a friend keeps a seat for this player (<see cref="Match.KeepSeat"/>). The lobby must be in the
        /// queue of the match and have no other player. Returns the match when this player is in the game.
        /// </summary>
        /// <exception cref="MatchyardException">The service rejected the call: <c>SEAT_NOT_FOUND PARTY_TOO_LARGE PLAYER_IN_MATCH
        /// PARTY_CANNOT_MATCH INVALID_MATCH_STATE</c>.</exception>
        public async Task<Match> JoinMatch(string matchId, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "lobby_id", Current.LobbyId } };
            await Change(new ServiceCall("POST", "matches", matchId, "join") { Body = body }, cancellation);
            return await FindMatch(null, cancellation);
        }

        /// <summary>
        /// Returns the reasons why the lobby is not matched yet, as <c>GET /v1/lobbies/{lobby_id}/queue</c>: the numbers of parties that
        /// pass and fail each rule, the next relaxation, <c>held_by</c>, <c>estimated_wait_seconds</c>.
        /// </summary>
        public Task<JsonObject> WhyWaiting(CancellationToken cancellation = default(CancellationToken))
        {
            return calls.Send(new ServiceCall("GET", "lobbies", Current.LobbyId, "queue"), cancellation);
        }

        /// <summary>
        /// Stops following the lobby. The player stays in the lobby at the service; see <see cref="Leave"/>.
        /// </summary>
        public void Dispose()
        {
            State.Close(new LobbyClosure(LobbyEnd.Disposed));
            disposed.Cancel();
        }

        internal Task Answer(string answer, string matchId, CancellationToken cancellation)
        {
            var body = new JsonObject { { "match_id", matchId } };
            return Change(new ServiceCall("POST", "lobbies", Current.LobbyId, "proposal", answer) { Body = body }, cancellation);
        }

        internal async Task<LobbySnapshot> Change(ServiceCall call, CancellationToken cancellation)
        {
            var now = new LobbySnapshot(await calls.Send(call, cancellation) ?? new JsonObject());
            State.Take(now);
            return now;
        }

        private void TellChange(LobbySnapshot now, LobbySnapshot before)
        {
            var changed = Changed;
            if (changed != null) handlers.Raise(() => changed(now, before));
            TellPlayers(now, before, PlayerJoined);
            TellPlayers(before, now, PlayerLeft);
        }

        private void TellPlayers(LobbySnapshot there, LobbySnapshot notThere, Action<LobbyPlayer> handler)
        {
            if (handler == null) return;
            foreach (var player in there.Players)
            {
                if (player.PlayerId != PlayerId && notThere.Find(player.PlayerId) == null) handlers.Raise(() => handler(player));
            }
        }

        private void TellConnection(ConnectionState now)
        {
            if (connection == now || Closure != null) return;
            connection = now;
            var handler = ConnectionChanged;
            if (handler != null) handlers.InContext(() => handlers.Raise(() => handler(now)));
        }

        private void TellClosed(LobbyClosure closure)
        {
            disposed.Cancel();
            var handler = Closed;
            if (handler != null) handlers.Raise(() => handler(closure));
        }
    }
}
