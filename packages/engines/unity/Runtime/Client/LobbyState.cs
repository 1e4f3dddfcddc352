using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary> Known state of a lobby, from long polls and from answers to calls, in any order and on any thread. The
    /// state with the newest version counts, except after the service's database was restored (see
    /// <see cref="Take"/>). Listeners get the changes one after another.
    /// </summary>
    internal sealed class LobbyState
    {
        private readonly object gate = new object();
        private readonly Handlers handlers;
        private readonly Action<LobbySnapshot, LobbySnapshot> onChange;
        private readonly Action<LobbyClosure> onClosed;
        private readonly Queue<Action> news = new Queue<Action>();
        private readonly List<Waiter> waiters = new List<Waiter>();
        private bool isTelling;
        private long taken;

        public LobbyState(LobbySnapshot first, Handlers handlers, Action<LobbySnapshot, LobbySnapshot> onChange, Action<LobbyClosure> onClosed)
        {
            Current = first;
            this.handlers = handlers;
            this.onChange = onChange;
            this.onClosed = onClosed;
        }

        public LobbySnapshot Current { get; private set; }

        /// <summary>Set when the lobby was closed.</summary>
        public LobbyClosure Closure { get; private set; }

        /// <summary>
        /// Stores the state of an answer. <paramref name="since"/> is the last known version, which the poll sent. An
        /// answer with a lower version means that the service's database was restored; it is stored too.
        /// </summary>
        public void Take(LobbySnapshot now, long? since = null)
        {
            lock (gate)
            {
                var isOlder = now.Version <= Current.Version && !(now.Version < since);
                if (Closure != null || isOlder) return;
                var before = Current;
                Current = now;
                var number = ++taken;
                news.Enqueue(() => Tell(now, before, number));
            }
            TellAll();
        }

        public void Close(LobbyClosure closure)
        {
            lock (gate)
            {
                if (Closure != null) return;
                Closure = closure;
                news.Enqueue(() => TellClosed(closure));
            }
            TellAll();
        }

        /// <summary>
        /// Returns the first state that fulfils the condition: the present state or a later one. Fails when the lobby
        /// closes first.
        /// </summary>
        public async Task<LobbySnapshot> Until(Func<LobbySnapshot, bool> holds, CancellationToken cancellation)
        {
            Waiter waiter;
            lock (gate)
            {
                if (holds(Current)) return Current;
                if (Closure != null) throw new LobbyClosedException(Closure);
                // Notifications of earlier versions may be pending; they must not wake this waiter.
                waiter = new Waiter(holds, taken);
                waiters.Add(waiter);
            }
            using (cancellation.Register(() => waiter.Found.TrySetCanceled()))
            {
                try
                {
                    return await waiter.Found.Task;
                }
                finally
                {
                    lock (gate) waiters.Remove(waiter);
                }
            }
        }

        private void Tell(LobbySnapshot now, LobbySnapshot before, long number)
        {
            onChange(now, before);
            foreach (var waiter in Waiting())
            {
                if (number > waiter.After && waiter.Holds(now)) waiter.Found.TrySetResult(now);
            }
        }

        private void TellClosed(LobbyClosure closure)
        {
            foreach (var waiter in Waiting()) waiter.Found.TrySetException(new LobbyClosedException(closure));
            onClosed(closure);
        }

        private Waiter[] Waiting()
        {
            lock (gate) return waiters.ToArray();
        }

        private void TellAll()
        {
            handlers.InContext(() =>
            {
                for (; ; )
                {
                    Action next;
                    lock (gate)
                    {
                        // A handler that calls the service may cause the next change while this change is still being
                        // reported.
                        if (isTelling || news.Count == 0) return;
                        isTelling = true;
                        next = news.Dequeue();
                    }
                    handlers.Raise(next);
                    lock (gate) isTelling = false;
                }
            });
        }

        private sealed class Waiter
        {
            public readonly long After;
            public readonly Func<LobbySnapshot, bool> Holds;
            public readonly TaskCompletionSource<LobbySnapshot> Found = new TaskCompletionSource<LobbySnapshot>(TaskCreationOptions.RunContinuationsAsynchronously);

            public Waiter(Func<LobbySnapshot, bool> holds, long after)
            {
                After = after;
                Holds = holds;
            }
        }
    }

    /// <summary>The closure of a lobby.</summary>
    public sealed class LobbyClosure
    {
        internal LobbyClosure(LobbyEnd end, MatchyardException error = null)
        {
            End = end;
            Error = error;
        }

        /// <summary>Kind of the closure.</summary>
        public LobbyEnd End { get; private set; }

        /// <summary>Error of the service, with <see cref="LobbyEnd.Refused"/>; else null.</summary>
        public MatchyardException Error { get; private set; }
    }

    /// <summary>Kind of a lobby's end for this player.</summary>
    public enum LobbyEnd
    {
        /// <summary>This player left the lobby.</summary>
        Left,

        /// <summary>The player was removed, or was silent for too long.</summary>
        Removed,

        /// <summary>The lobby no longer exists.</summary>
        Deleted,

        /// <summary>The service refuses this player's calls: a revoked key, or a token that was not renewed.</summary>
        Refused,

        /// <summary>The object was disposed; for the service the player is still in the lobby.</summary>
        Disposed,
    }

    /// <summary>The lobby closed while the caller waited for a state of the lobby.</summary>
    public sealed class LobbyClosedException : Exception
    {
        internal LobbyClosedException(LobbyClosure closure) : base("the lobby closed: " + closure.End, closure.Error)
        {
            Closure = closure;
        }

        /// <summary>Closure of the lobby.</summary>
        public LobbyClosure Closure { get; private set; }
    }
}
