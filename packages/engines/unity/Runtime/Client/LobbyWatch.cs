using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>How a lobby is heard of.</summary>
    public enum ConnectionState
    {
        /// <summary>Changes arrive at once.</summary>
        Live,

        /// <summary>The service cannot be heard; it is asked again and again.</summary>
        Reconnecting,
    }

    /// <summary>
    /// Keeps a lobby's state up to date by long polling: each call waits at the service for the next version. While it waits it counts as a
    /// heartbeat, so that there is no other.
    /// </summary>
    internal sealed class LobbyWatch
    {
        /// <summary>The longest that the service lets a call wait.</summary>
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

        /// <summary>Until the lobby is closed or the watch is cancelled; throws nothing.</summary>
        public async Task Run(CancellationToken cancellation)
        {
            var failures = 0;
            var isBroken = false;
            while (state.Closure == null && !cancellation.IsCancellationRequested)
            {
                try
                {
                    var waited = Stopwatch.StartNew();
                    // After a failure the service is asked at once how things are: whoever looks is told of the end of the outage, not of the next change.
                    var isNews = await Poll(isBroken ? 0 : WaitSeconds, cancellation);
                    onConnection(ConnectionState.Live);
                    if (isBroken)
                    {
                        isBroken = false;
                        continue;
                    }
                    // "Nothing new" before its time is a node on its way out, or a proxy with a memory: not to be asked in a tight loop.
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
                    // Ours, or the game's own source of tokens gave up, which it may do better the next time.
                    failures++;
                    await Quietly(calls.Pause(failures, null, cancellation));
                }
                catch (Exception)
                {
                    // The game's source of tokens is out of order: as long as it is, nothing can be asked.
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
            // A token may have ended in the middle of a wait: the next attempt brings another one.
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
                // The loop looks by itself.
            }
        }
    }
}
