using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// Follows the service's messages to this server, and sends heartbeats. Each message holds the whole state, so
    /// after a reconnect only the newest message is needed.
    /// </summary>
    internal sealed class ServerFeed
    {
        private static readonly TimeSpan BeatEvery = TimeSpan.FromSeconds(10);

        /// <summary>
        /// Longest silence of a stream. The service sends a comment every 15 seconds, so a longer silence means a dead connection.
        /// </summary>
        private static readonly TimeSpan Silence = TimeSpan.FromSeconds(45);

        private readonly ServiceCalls calls;
        private readonly Func<long> version;
        private readonly Action<MatchRoster> onMatch;
        private readonly Action<DateTimeOffset> onStopping;
        private readonly Action<ConnectionState> onConnection;

        public ServerFeed(ServiceCalls calls, Func<long> version, Action<MatchRoster> onMatch, Action<DateTimeOffset> onStopping, Action<ConnectionState> onConnection)
        {
            this.calls = calls;
            this.version = version;
            this.onMatch = onMatch;
            this.onStopping = onStopping;
            this.onConnection = onConnection;
        }

        public async Task Follow(CancellationToken cancellation)
        {
            for (var failures = 1; !cancellation.IsCancellationRequested; failures++)
            {
                try
                {
                    var reader = new EventStreamReader(Take);
                    var known = version();
                    await calls.Stream(new ServiceCall("GET", "servers", "self", "events"), known > 0 ? known.ToString() : null, Silence, bytes =>
                    {
                        failures = 0;
                        onConnection(ConnectionState.Live);
                        reader.Take(bytes);
                    }, cancellation);
                }
                catch (MatchyardException refusal) when (IsFinal(refusal))
                {
                    // The token is no longer valid, because its launch attempt has ended. The service does not expect
                    // this process any more.
                    if (!cancellation.IsCancellationRequested) onStopping(DateTimeOffset.UtcNow);
                    return;
                }
                catch (Exception error) when (error is MatchyardException || error is FormatException)
                {
                    // The stream broke; the loop opens it again.
                }
                catch (OperationCanceledException)
                {
                    return;
                }
                onConnection(ConnectionState.Reconnecting);
                if (!await Pause(calls.Pause(Math.Max(failures, 1), null, cancellation))) return;
            }
        }

        public async Task Beat(CancellationToken cancellation)
        {
            while (await Pause(calls.Delay(BeatEvery, cancellation)))
            {
                try
                {
                    await calls.Once(new ServiceCall("POST", "servers", "self", "heartbeat"), cancellation);
                }
                catch (Exception error) when (error is MatchyardException || error is OperationCanceledException)
                {
                    // A failed heartbeat is ignored, because the next one replaces it.
                }
            }
        }

        private static bool IsFinal(MatchyardException refusal)
        {
            return refusal.Status == 401 || refusal.Status == 403 || refusal.Status == 404 || refusal.Is(ErrorCodes.InvalidServerState);
        }

        private static async Task<bool> Pause(Task pause)
        {
            try
            {
                await pause;
                return true;
            }
            catch (OperationCanceledException)
            {
                return false;
            }
        }

        private void Take(string name, string id, string data)
        {
            var body = JsonText.ParseObject(data);
            if (name == "match_updated") onMatch(new MatchRoster(body.GetLong("match_version") ?? 0, body.GetArray("teams")));
            else if (name == "stopping") onStopping(Wire.TimeOf(body.GetString("deadline")));
        }
    }
}
