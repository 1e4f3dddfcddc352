using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>State of the connection to the service.</summary>
    public enum ConnectionState
    {
        /// <summary>Changes arrive at once.</summary>
        Live,

        /// <summary>The service cannot be reached; calls are repeated.</summary>
        Reconnecting,
    }

    /// <summary>
    /// Keeps a lobby's state up to date by long polling: each call waits at the service for the next version. A waiting
    /// call counts as the player's heartbeat, so no other heartbeat is sent.
    /// </summary>
    internal sealed class LobbyWatch
    {
        /// <summary>Longest wait of a call at the service, in seconds.</summary>
        private const int WaitSeconds = 25;

        private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(WaitSeconds + 10);

        private readonly ServiceCalls calls;
        private readonly LobbyState state;
        private readonly Func<string> me;
        private readonly Action<ConnectionState> onConnection;

        public LobbyWatch(ServiceCalls calls, LobbyState state, Func<string> me, Action<ConnectionState> onConnection)
        {
            this.calls = calls;
            this.state = state;
            this.me = me;
            this.onConnection = onConnection;
        }

        /// <summary>Runs until the lobby is closed or the watch is cancelled; throws nothing.</summary>
        public async Task Run(CancellationToken cancellation)
        {
            var failures = 0;
            var isBroken = false;
            while (state.Closure == null && !cancellation.IsCancellationRequested)
            {
                try
                {
                    var waited = Stopwatch.StartNew();
                    // After a failure the first poll does not wait, so that the end of an outage is noticed at once,
                    // even when the lobby has not changed.
                    var isNews = await Poll(isBroken ? 0 : WaitSeconds, cancellation);
                    onConnection(ConnectionState.Live);
                    if (isBroken)
                    {
                        isBroken = false;
                        continue;
                    }
                    // An early answer without news comes from a node in shutdown or from a caching proxy; it counts as a failure, so that
                    // polls do not loop without pauses.
                    failures = isNews || waited.Elapsed > TimeSpan.FromSeconds(WaitSeconds / 2) ? 0 : failures + 1;
                    if (failures > 0) await calls.Pause(failures, null, cancellation);
                }
                catch (MatchyardException refusal)
                {
                    if (cancellation.IsCancellationRequested) return;
                    failures++;
                    isBroken = true;
                    if (IsFinal(refusal, failures)) return;
                    onConnection(ConnectionState.Reconnecting);
                    await Quietly(calls.Pause(failures, refusal.RetryAfter, cancellation));
                }
                catch (OperationCanceledException)
                {
                    // The call timed out in this package, or the game's function for player tokens failed. Both may
                    // succeed the next time.
                    failures++;
                    await Quietly(calls.Pause(failures, null, cancellation));
                }
                catch (Exception)
                {
                    // The game's function for player tokens has failed. No call is possible until that function works.
                    failures++;
                    onConnection(ConnectionState.Reconnecting);
                    await Quietly(calls.Pause(failures, null, cancellation));
                }
            }
        }

        private async Task<bool> Poll(int waitSeconds, CancellationToken cancellation)
        {
            var known = state.Current.Version;
            var call = new ServiceCall("GET", "lobbies", state.Current.LobbyId) { Timeout = Timeout };
            var answer = await calls.Once(call.With("after_version", known).With("wait", waitSeconds), cancellation);
            if (answer == null) return false;
            var now = new LobbySnapshot(answer);
            state.Take(now, known);
            if (now.Version >= state.Current.Version && now.Find(me()) == null) state.Close(new LobbyClosure(LobbyEnd.Removed));
            return now.Version != known;
        }

        private bool IsFinal(MatchyardException refusal, int failures)
        {
            if (refusal.Is(ErrorCodes.LobbyNotFound))
            {
                state.Close(new LobbyClosure(LobbyEnd.Deleted));
                return true;
            }
            // A token may expire during a wait; the next attempt fetches another one.
            var isCredential = refusal.Status == 401 || refusal.Status == 403;
            if (!isCredential || (refusal.Is(ErrorCodes.InvalidPlayerToken) && failures < 3)) return false;
            state.Close(new LobbyClosure(LobbyEnd.Refused, refusal));
            return true;
        }

        private static async Task Quietly(Task pause)
        {
            try
            {
                await pause;
            }
            catch (OperationCanceledException)
            {
                // The loop itself checks for cancellation.
            }
        }
    }
}
