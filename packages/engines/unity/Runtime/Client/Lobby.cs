using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A lobby in which this player is. It keeps itself up to date until it is left, closed or disposed.</summary>
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
            // It throws nothing; should it ever, the game is told.
            handlers.Watch(watch.Run(disposed.Token));
        }

        /// <summary>It changed: as it is now, and as it was. Versions that followed each other quickly are told as one.</summary>
        public event Action<LobbySnapshot, LobbySnapshot> Changed;

        /// <summary>Somebody came.</summary>
        public event Action<LobbyPlayer> PlayerJoined;

        /// <summary>Somebody else went.</summary>
        public event Action<LobbyPlayer> PlayerLeft;

        /// <summary>The service is heard again, or not any more. What was missed is caught up with by itself.</summary>
        public event Action<ConnectionState> ConnectionChanged;

        /// <summary>Nothing more comes; told once.</summary>
        public event Action<LobbyClosure> Closed;

        /// <summary>The newest that is known of it.</summary>
        public LobbySnapshot Current
        {
            get { return State.Current; }
        }

        /// <summary>Why nothing more comes; null while it is open.</summary>
        public LobbyClosure Closure
        {
            get { return State.Closure; }
        }

        /// <summary>How the service is heard.</summary>
        public ConnectionState Connection
        {
            get { return connection; }
        }

        /// <summary>This player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Whether this player is the host, who alone changes settings, kicks, and sends the lobby to matchmaking.</summary>
        public bool IsHost
        {
            get { return Current.HostPlayerId == PlayerId; }
        }

        internal LobbyState State { get; private set; }

        /// <summary>
        /// Changes this player's state. Keys that are sent replace those of the same name; with <paramref name="merge"/> false the whole state is
        /// replaced. Refused with <c>PARTY_CANNOT_MATCH</c> where the lobby searches and could never be matched any more.
        /// </summary>
        public async Task SetState(IEnumerable<KeyValuePair<string, object>> state, bool merge = true, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "state", Copied.Of(state) }, { "merge", merge } };
            await calls.Send(new ServiceCall("PATCH", "lobbies", Current.LobbyId, "players", PlayerId) { Body = body }, cancellation);
        }

        /// <summary>Replaces the settings; the host, while the lobby waits (<c>NOT_HOST</c>, <c>INVALID_LOBBY_STATE</c>).</summary>
        public Task<LobbySnapshot> SetSettings(IEnumerable<KeyValuePair<string, object>> settings, CancellationToken cancellation = default(CancellationToken))
        {
            return Update(new JsonObject { { "settings", Copied.Of(settings) } }, cancellation);
        }

        /// <summary>Changes any of <c>name queue_id region is_private max_players settings</c>; the host, while the lobby waits.</summary>
        public Task<LobbySnapshot> Update(IEnumerable<KeyValuePair<string, object>> changes, CancellationToken cancellation = default(CancellationToken))
        {
            return Change(new ServiceCall("PATCH", "lobbies", Current.LobbyId, "settings") { Body = Copied.Of(changes) }, cancellation);
        }

        /// <summary>Removes another player; the host.</summary>
        public async Task Kick(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await calls.Send(new ServiceCall("DELETE", "lobbies", Current.LobbyId, "players", playerId), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.PlayerNotInLobby) && error.Status == 404)
            {
                // Gone already, perhaps by this very call, whose answer was lost.
            }
        }

        /// <summary>Kicks a player, where there, and keeps the player out of this lobby; the host. At most 100 (<c>BAN_LIMIT</c>).</summary>
        public Task<LobbySnapshot> Ban(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            var body = new JsonObject { { "player_id", playerId } };
            return Change(new ServiceCall("POST", "lobbies", Current.LobbyId, "bans") { Body = body }, cancellation);
        }

        /// <summary>Lets a banned player in again; the host. One who is not banned is no error.</summary>
        public async Task Unban(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await calls.Send(new ServiceCall("DELETE", "lobbies", Current.LobbyId, "bans", playerId), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.BanNotFound))
            {
                // Not banned is the state that was asked for.
            }
        }

        /// <summary>Leaves it; a lobby that searches goes back to waiting. The lobby is closed then.</summary>
        public async Task Leave(CancellationToken cancellation = default(CancellationToken))
        {
            if (Closure != null && Closure.End != LobbyEnd.Disposed) return;
            try
            {
                await calls.Send(new ServiceCall("POST", "lobbies", Current.LobbyId, "leave"), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.PlayerNotInLobby) || error.Is(ErrorCodes.LobbyNotFound))
            {
                // Not in it is what was wanted.
            }
            State.Close(new LobbyClosure(LobbyEnd.Left));
            disposed.Cancel();
        }

        /// <summary>Starts a match of this lobby alone, without matchmaking; the host.</summary>
        public Task<LobbySnapshot> Start(CancellationToken cancellation = default(CancellationToken))
        {
            return Change(new ServiceCall("POST", "lobbies", Current.LobbyId, "start"), cancellation);
        }

        /// <summary>
        /// Searches for a match and waits until it can be played. The host sends the lobby to matchmaking; other members wait for that, and for
        /// all that follows. In a lobby that plays already it is that match at once. Cancelling ends the search.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The lobby is back in waiting.</exception>
        /// <exception cref="LobbyClosedException">The lobby is gone, or the player is.</exception>
        /// <exception cref="MatchyardException">The service refused: <c>PARTY_TOO_LARGE PARTY_CANNOT_MATCH PLAYER_COOLING_DOWN QUEUE_DISABLED</c> …</exception>
        public Task<Match> FindMatch(FindMatchOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            return new MatchSearch(this, calls, handlers, options ?? new FindMatchOptions()).Run(cancellation);
        }

        /// <summary>
        /// Why the lobby still searches, as <c>GET /v1/lobbies/{lobby_id}/queue</c> says it: for each rule how many others pass and fail it,
        /// what loosens next, <c>held_by</c>, <c>estimated_wait_seconds</c>.
        /// </summary>
        public Task<JsonObject> WhyWaiting(CancellationToken cancellation = default(CancellationToken))
        {
            return calls.Send(new ServiceCall("GET", "lobbies", Current.LobbyId, "queue"), cancellation);
        }

        /// <summary>Stops watching it. The player stays in the lobby as far as the service knows; see <see cref="Leave"/>.</summary>
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
