using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// A game server that Matchyard started: what its match is, who plays, and its word to the service. Attach it once, at the start. A service
    /// that is away for a while is no reason to end a match: calls are repeated, and what was missed is caught up with.
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

        /// <summary>Somebody came or went: <see cref="Roster"/> has changed. Its state as it is now, whatever happened in between.</summary>
        public event Action<MatchRoster> MatchUpdated;

        /// <summary>The service is heard again, or not any more. A match goes on meanwhile.</summary>
        public event Action<ConnectionState> ConnectionChanged;

        /// <summary>
        /// The server is to end, and is ended at this instant at the latest: say farewell, then <see cref="Shutdown"/> and leave with exit code 0.
        /// Told once. On Mono and IL2CPP a process that listens to it does not die of SIGTERM any more.
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

        /// <summary>Whether the process runs by itself, without Matchyard; no call then leaves the machine.</summary>
        public bool IsLocal
        {
            get { return file.IsLocal; }
        }

        /// <summary>This server; empty where the process runs by itself and says none.</summary>
        public string InstanceId
        {
            get { return file.Raw.GetString("instance_id") ?? ""; }
        }

        /// <summary>Its match; null for a server that was started for none.</summary>
        public string MatchId
        {
            get { return file.Raw.GetString("match_id"); }
        }

        /// <summary>The queue that made the match; null for a server that was started for none.</summary>
        public string QueueId
        {
            get { return file.Raw.GetString("queue_id"); }
        }

        /// <summary>The region that it runs in.</summary>
        public string Region
        {
            get { return file.Raw.GetString("region") ?? ""; }
        }

        /// <summary>The settings of the lobby that waited longest: the map, the mode.</summary>
        public JsonObject Settings
        {
            get { return file.Raw.GetObject("settings") ?? new JsonObject(); }
        }

        /// <summary><c>custom_data</c> of the queue.</summary>
        public JsonObject CustomData
        {
            get { return file.Raw.GetObject("custom_data") ?? new JsonObject(); }
        }

        /// <summary>The configuration file as it was at the start, fields included that are newer than this package.</summary>
        public JsonObject Raw
        {
            get { return file.Raw; }
        }

        /// <summary>Who plays now.</summary>
        public MatchRoster Roster { get; private set; }

        /// <summary>
        /// Reads the configuration and begins to listen to the service. Throws <see cref="InvalidOperationException"/> where Matchyard has not started
        /// this process and <see cref="GameServerOptions.Local"/> is not said.
        /// </summary>
        public static GameServer Attach(GameServerOptions options = null)
        {
            var wanted = options ?? new GameServerOptions();
            return new GameServer(ServerFile.Read(wanted.Local), wanted);
        }

        /// <summary>
        /// <see cref="Attach"/>, once there is a match: where the queue has servers started before theirs (<c>warm</c>), it waits. Load first what every
        /// match needs. Everywhere else it is over at once.
        /// </summary>
        public static async Task<GameServer> AttachWhenMatched(GameServerOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            await ServerFile.WhenWritten(cancellation);
            return Attach(options);
        }

        /// <summary>The port to listen on, by its name in the queue's <c>network_ports</c>. Throws where there is none of this name.</summary>
        public int Port(string name)
        {
            var variable = "PORT_" + new string(Array.ConvertAll(name.ToUpperInvariant().ToCharArray(), ToVariable));
            int port;
            if (int.TryParse(Environment.GetEnvironmentVariable(variable), out port) && port > 0) return port;
            throw new ArgumentException("there is no port \"" + name + "\": " + variable + " is not set. Name it in network_ports of the queue's server_settings", "name");
        }

        /// <summary>Players may come: their lobbies are told where. Needed where the queue's <c>readiness</c> is <c>self</c>, and never wrong.</summary>
        public Task Ready(CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("POST", "servers", "self", "ready"), cancellation);
        }

        /// <summary>Whom a join token lets in. Asks nobody, and takes microseconds.</summary>
        /// <exception cref="JoinTokenException">It lets nobody in, and says why.</exception>
        public Joiner Verify(string joinToken)
        {
            Joiner joiner;
            var refusal = joinTokens.Judge(joinToken, out joiner);
            if (refusal != JoinRefusal.None) throw new JoinTokenException(refusal);
            return joiner;
        }

        /// <summary>The same without an exception: why not, and <see cref="JoinRefusal.None"/> with the joiner where it lets somebody in.</summary>
        public JoinRefusal TryVerify(string joinToken, out Joiner joiner)
        {
            return joinTokens.Judge(joinToken, out joiner);
        }

        /// <summary>A player has left the game for good: the seat is open, and their lobby loses them as by leaving.</summary>
        public Task PlayerLeft(string playerId, CancellationToken cancellation = default(CancellationToken))
        {
            departures.Note(playerId);
            return Call(new ServiceCall("DELETE", "servers", "self", "players", playerId), cancellation);
        }

        /// <summary>
        /// Asks for newcomers, for every open seat unless you say otherwise; who comes is told by <see cref="MatchUpdated"/>. A second request
        /// takes the first one's place. <c>INVALID_MATCH_STATE</c> where no seat is open, or the match was closed. Null where the process runs by itself.
        /// </summary>
        public async Task<Backfill> Backfill(BackfillOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            var body = (options ?? new BackfillOptions()).ToJson();
            var answer = await Call(new ServiceCall("POST", "servers", "self", "backfill") { Body = body }, cancellation);
            return answer == null ? null : new Backfill(answer);
        }

        /// <summary>Asks for nobody any more, for now.</summary>
        public async Task CancelBackfill(CancellationToken cancellation = default(CancellationToken))
        {
            try
            {
                await Call(new ServiceCall("DELETE", "servers", "self", "backfill"), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.BackfillNotFound))
            {
                // Filled or over.
            }
        }

        /// <summary>Nobody is to come any more, until the match ends. Who was matched before still comes.</summary>
        public Task Close(CancellationToken cancellation = default(CancellationToken))
        {
            return Call(new ServiceCall("POST", "servers", "self", "close"), cancellation);
        }

        /// <summary>The match is over: its lobbies are back in waiting. End the process with exit code 0 then.</summary>
        public async Task Shutdown(CancellationToken cancellation = default(CancellationToken))
        {
            // What the service says from now on is no news.
            Interlocked.Exchange(ref isStopping, 1);
            try
            {
                await Call(new ServiceCall("POST", "servers", "self", "shutdown"), cancellation);
            }
            catch (MatchyardException error) when (error.Status == 401 || error.Is(ErrorCodes.InvalidServerState))
            {
                // It is being ended already.
            }
            finally
            {
                ended.Set();
            }
        }

        /// <summary>Stops listening and beating. The match is not ended by it; see <see cref="Shutdown"/>.</summary>
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
            // A stream that is resumed may tell the same again.
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

        /// <summary>Where the platform tells of its end before it ends, it is told on.</summary>
        private void OnProcessExit()
        {
            if (disposed.IsCancellationRequested || ended.IsSet) return;
            TellStopping(DateTimeOffset.UtcNow + Grace);
#if !UNITY_5_3_OR_NEWER
            // Until this returns the process lives, and can be heard.
            if (stopping != null) ended.Wait(Grace);
#endif
        }

        private static char ToVariable(char unit)
        {
            return (unit >= 'A' && unit <= 'Z') || (unit >= '0' && unit <= '9') ? unit : '_';
        }

        /// <summary>The server itself, by the token of its configuration.</summary>
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
