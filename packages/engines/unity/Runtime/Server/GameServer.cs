using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// A game server that Matchyard started: its match, its players, and its calls to the service. Attach once, at the
    /// start of the process. A match continues while the service cannot be reached: calls are repeated, and missed
    /// changes are fetched.
    /// </summary>
    public sealed class GameServer : IDisposable
    {
        private static readonly TimeSpan Grace = TimeSpan.FromSeconds(9);

        private readonly ServerFile file;
        private readonly ServiceCalls calls;
        private readonly Handlers handlers;
        private readonly JoinTokens joinTokens;
        private readonly Departures departures = new Departures();
        private readonly CancellationTokenSource disposed = new CancellationTokenSource();
        private readonly ManualResetEventSlim ended = new ManualResetEventSlim(false);
        private Action<DateTimeOffset> stopping;
        private ConnectionState connection = ConnectionState.Live;
        private int isStopping;

        private GameServer(ServerFile file, GameServerOptions options)
        {
            this.file = file;
            handlers = new Handlers(options.OnHandlerError);
            joinTokens = new JoinTokens(file.Raw, departures);
            Roster = new MatchRoster(file.Raw.GetLong("match_version") ?? 0, file.Raw.GetArray("teams"));
            if (file.IsLocal) return;
            var caller = new ServerCaller(file.Raw.GetString("token"));
            calls = new ServiceCalls(new Uri(file.Raw.GetString("api_url")), options.Transport ?? Transports.Default(), caller, options.Retry ?? new RetryPolicy());
            var feed = new ServerFeed(calls, () => Roster.Version, TakeRoster, TellStopping, TellConnection);
            handlers.Watch(feed.Follow(disposed.Token));
            handlers.Watch(feed.Beat(disposed.Token));
#if UNITY_5_3_OR_NEWER
            UnityEngine.Application.quitting += OnProcessExit;
#else
            if (Sigterm.IsRaisedAsProcessExit) AppDomain.CurrentDomain.ProcessExit += (sender, arguments) => OnProcessExit();
#endif
        }

        /// <summary>Players joined or left: <see cref="Roster"/> has its newest state.</summary>
        public event Action<MatchRoster> MatchUpdated;

        /// <summary>The connection to the service was lost or restored. The match continues meanwhile.</summary>
        public event Action<ConnectionState> ConnectionChanged;

        /// <summary>
        /// The server must end, at this time at the latest: send last messages, call <see cref="Shutdown"/> and exit
        /// with code 0. Raised once. On Mono and IL2CPP, SIGTERM no longer ends a process that listens to this event.
        /// </summary>
        public event Action<DateTimeOffset> Stopping
        {
            add
            {
                if (!file.IsLocal) Sigterm.IgnoreIfItWouldKill();
                stopping += value;
            }
            remove
            {
                stopping -= value;
            }
        }

        /// <summary>Whether the process runs without Matchyard; it then makes no network calls.</summary>
        public bool IsLocal
        {
            get { return file.IsLocal; }
        }

        /// <summary>Id of this server; empty for a process without Matchyard and without a given id.</summary>
        public string InstanceId
        {
            get { return file.Raw.GetString("instance_id") ?? ""; }
        }

        /// <summary>Id of the match; null for a server without a match.</summary>
        public string MatchId
        {
            get { return file.Raw.GetString("match_id"); }
        }

        /// <summary>Queue of the match; null for a server without a match.</summary>
        public string QueueId
        {
            get { return file.Raw.GetString("queue_id"); }
        }

        /// <summary>Region of the server.</summary>
        public string Region
        {
            get { return file.Raw.GetString("region") ?? ""; }
        }

        /// <summary>Settings of the lobby that waited longest, for example map or mode.</summary>
        public JsonObject Settings
        {
            get { return file.Raw.GetObject("settings") ?? new JsonObject(); }
        }

        /// <summary><c>custom_data</c> of the queue.</summary>
        public JsonObject CustomData
        {
            get { return file.Raw.GetObject("custom_data") ?? new JsonObject(); }
        }

        /// <summary>Configuration file at the start, including fields that are newer than this package.</summary>
        public JsonObject Raw
        {
            get { return file.Raw; }
        }

        /// <summary>Present players.</summary>
        public MatchRoster Roster { get; private set; }

        /// <summary>
        /// Reads the configuration and begins to follow the service. Throws <see cref="InvalidOperationException"/> when Matchyard has not
        /// started this process and <see cref="GameServerOptions.Local"/> is not set.
        /// </summary>
        public static GameServer Attach(GameServerOptions options = null)
        {
            var wanted = options ?? new GameServerOptions();
            return new GameServer(ServerFile.Read(wanted.Local), wanted);
        }

        /// <summary>
        /// Waits for the match and then attaches, for queues whose servers start before their match (<c>warm</c>). In
        /// other queues it attaches at once. Load the common data of all matches first.
        /// </summary>
        public static async Task<GameServer> AttachWhenMatched(GameServerOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            await ServerFile.WhenWritten(cancellation);
            return Attach(options);
        }

        /// <summary>Returns the port to listen on, by its name in the queue's <c>network_ports</c>. Throws for an unknown name.</summary>
        public int Port(string name)
        {
            var variable = "PORT_" + new string(Array.ConvertAll(name.ToUpperInvariant().ToCharArray(), ToVariable));
            int port;
            if (int.TryParse(Environment.GetEnvironmentVariable(variable), out port) && port > 0) return port;
            throw new ArgumentException("there is no port \"" + name + "\": " + variable + " is not set. Name it in network_ports of the queue's server_settings", "name");
        }

        /// <summary>
        /// Reports that players may connect; their lobbies then get the address. Required when the queue's <c>readiness</c> is <c>self</c>,
        /// allowed always.
        /// </summary>
        public Task Ready(CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("POST", "servers", "self", "ready"), cancellation);
        }

        /// <summary>Returns the player of a join token. Works offline, in microseconds.</summary>
        /// <exception cref="JoinTokenException">The token is refused, with the reason.</exception>
        public Joiner Verify(string joinToken)
        {
            Joiner joiner;
            var refusal = joinTokens.Judge(joinToken, out joiner);
            if (refusal != JoinRefusal.None) throw new JoinTokenException(refusal);
            return joiner;
        }

        /// <summary>
        /// Checks a join token without an exception. Returns <see cref="JoinRefusal.None"/> and the player, or the reason of the refusal.
        /// </summary>
        public JoinRefusal TryVerify(string joinToken, out Joiner joiner)
        {
            return joinTokens.Judge(joinToken, out joiner);
        }

        /// <summary>Reports that a player has left for good: the seat is open, and the player's lobby removes the player.</summary>
        public Task PlayerLeft(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            return PlayerLeft(playerId, false, cancellation);
        }

        /// <summary>
        /// Reports that a player has left for good. An excused player gets no penalty of the queue for leaving
        /// (<c>leaver_penalty</c>).
        /// </summary>
        public Task PlayerLeft(string playerId, bool excused, CancellationToken cancellation = default(CancellationToken))
        {
            departures.Note(playerId);
            var call = new ServiceCall("DELETE", "servers", "self", "players", playerId);
            return Call(excused ? call.With("excused", "true") : call, cancellation);
        }

        /// <summary>
        /// Requests newcomers, for every open seat by default; <see cref="MatchUpdated"/> reports them. A second request replaces the
        /// first. Throws <c>INVALID_MATCH_STATE</c> without an open seat or after <see cref="Close"/>. Returns null for a process without
        /// Matchyard.
        /// </summary>
        public async Task<Backfill> Backfill(BackfillOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = (options ?? new BackfillOptions()).ToJson();
            var answer = await Call(new ServiceCall("POST", "servers", "self", "backfill") { Body = body }, cancellation);
            return answer == null ? null : new Backfill(answer);
        }

        /// <summary>Withdraws the request for newcomers.</summary>
        public async Task CancelBackfill(CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await Call(new ServiceCall("DELETE", "servers", "self", "backfill"), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.BackfillNotFound))
            {
                // The request for newcomers was filled or has ended, which is no error.
            }
        }

        /// <summary>
        /// Keeps an open seat for one player, who joins without a search. The queue must allow this (<c>matchmaking.late_join</c>). Returns
        /// null for a process without Matchyard.
        /// </summary>
        /// <exception cref="MatchyardException">The service rejected the call: <c>MATCH_FULL PLAYER_IN_MATCH INVALID_MATCH_STATE</c>.</exception>
        public async Task<KeptSeat> KeepSeat(string playerId, string team = null, int? holdSeconds = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = KeptSeat.Asked(playerId, team, holdSeconds);
            var answer = await Call(new ServiceCall("POST", "servers", "self", "seats") { Body = body }, cancellation);
            return answer == null ? null : new KeptSeat(answer);
        }

        /// <summary>Gives back the seat that is kept for a player.</summary>
        /// <exception cref="MatchyardException">No seat is kept (any more): <c>SEAT_NOT_FOUND</c>.</exception>
        public Task FreeSeat(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("DELETE", "servers", "self", "seats", playerId), cancellation);
        }

        /// <summary>
        /// Reports the result of the match, once; the same result again changes nothing. With <see cref="MatchResult.End"/> the match ends
        /// too. Throws <c>RESULT_EXISTS</c> when the match has another result.
        /// </summary>
        public Task ReportResult(MatchResult result, CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("POST", "servers", "self", "result") { Body = result.ToJson() }, cancellation);
        }

        /// <summary>Closes the match to newcomers until it ends. Players who were already matched still join.</summary>
        public Task Close(CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("POST", "servers", "self", "close"), cancellation);
        }

        /// <summary>Ends the match: its lobbies return to waiting. Then end the process with exit code 0.</summary>
        public async Task Shutdown(CancellationToken cancellation = default(CancellationToken))
        {
            // Later messages of the service are ignored.
            Interlocked.Exchange(ref isStopping, 1);
            try
            {
                await Call(new ServiceCall("POST", "servers", "self", "shutdown"), cancellation);
            }
            catch (MatchyardException error) when (error.Status == 401 || error.Is(ErrorCodes.InvalidServerState))
            {
                // The server is already being stopped, which is no error.
            }
            finally
            {
                ended.Set();
            }
        }

        /// <summary>Stops the event stream and the heartbeats. The match continues; see <see cref="Shutdown"/>.</summary>
        public void Dispose()
        {
            disposed.Cancel();
            ended.Set();
            if (calls != null) calls.Dispose();
        }

        private Task<JsonObject> Call(ServiceCall call, CancellationToken cancellation)
        {
            return file.IsLocal ? Task.FromResult<JsonObject>(null) : calls.Send(call, cancellation);
        }

        private void TakeRoster(MatchRoster now)
        {
            // A stream that was resumed may repeat a version, which is ignored here.
            if (now.Version <= Roster.Version) return;
            departures.Note(Roster, now);
            Roster = now;
            var handler = MatchUpdated;
            if (handler != null) handlers.InContext(() => handlers.Raise(() => handler(now)));
        }

        private void TellStopping(DateTimeOffset deadline)
        {
            if (Interlocked.Exchange(ref isStopping, 1) != 0) return;
            var handler = stopping;
            if (handler != null) handlers.InContext(() => handlers.Raise(() => handler(deadline)));
        }

        private void TellConnection(ConnectionState now)
        {
            if (connection == now) return;
            connection = now;
            var handler = ConnectionChanged;
            if (handler != null) handlers.InContext(() => handlers.Raise(() => handler(now)));
        }

        /// <summary>Reports the end of the process, on platforms that announce it.</summary>
        private void OnProcessExit()
        {
            if (disposed.IsCancellationRequested || ended.IsSet) return;
            TellStopping(DateTimeOffset.UtcNow + Grace);
#if !UNITY_5_3_OR_NEWER
            // The process ends when this handler returns, so the handler waits.
            if (stopping != null) ended.Wait(Grace);
#endif
        }

        private static char ToVariable(char unit)
        {
            return (unit >= 'A' && unit <= 'Z') || (unit >= '0' && unit <= '9') ? unit : '_';
        }

        /// <summary>Credentials of this server: the token from its configuration.</summary>
        private sealed class ServerCaller : ICaller
        {
            private readonly string token;

            public ServerCaller(string token)
            {
                this.token = token;
            }

            public Task Identify(HttpCall call, bool isAnonymous, CancellationToken cancellation)
            {
                call.Headers.Add(new KeyValuePair<string, string>("authorization", "Bearer " + token));
                return Task.FromResult(true);
            }

            public bool HasBetterThan(MatchyardException refusal)
            {
                return false;
            }
        }
    }
}
