using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// What is known of a lobby, from the long poll and from the answers to calls, which may arrive in any order and on any thread: the newest
    /// counts, and whoever listens is told one change after the other.
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

        /// <summary>Set once nothing more comes.</summary>
        public LobbyClosure Closure { get; private set; }

        /// <summary>
        /// Takes what an answer showed. <paramref name="since"/>: the version after which a poll asked; an answer below that is of a service whose
        /// database was put back, and counts as well.
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

        /// <summary>The first snapshot from now on for which this holds, the present one included. Fails when the lobby is closed before.</summary>
        public async Task<LobbySnapshot> Until(Func<LobbySnapshot, bool> holds, CancellationToken cancellation)
        {
            Waiter waiter;
            lock (gate)
            {
                if (holds(Current)) return Current;
                if (Closure != null) throw new LobbyClosedException(Closure);
                // What is still to be told of earlier versions is not for it.
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
                        // A handler that calls the service may bring the next change while this one is still being told.
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

    /// <summary>Why nothing more comes of a lobby.</summary>
    public sealed class LobbyClosure
    {
        internal LobbyClosure(LobbyEnd end, MatchyardException error = null)
        {
            End = end;
            Error = error;
        }

        /// <summary>What happened.</summary>
        public LobbyEnd End { get; private set; }

        /// <summary>With <see cref="LobbyEnd.Refused"/>: what the service said. Null otherwise.</summary>
        public MatchyardException Error { get; private set; }
    }

    /// <summary>How a lobby ended for this player.</summary>
    public enum LobbyEnd
    {
        /// <summary>This player left it.</summary>
        Left,

        /// <summary>The player was kicked, or was not heard of for too long.</summary>
        Removed,

        /// <summary>There is no such lobby any more.</summary>
        Deleted,

        /// <summary>The service takes this player's calls no longer: a key that was revoked, a token that is not renewed.</summary>
        Refused,

        /// <summary>It was disposed here; for the service the player is still in it.</summary>
        Disposed,
    }

    /// <summary>Something was awaited of a lobby that closed meanwhile.</summary>
    public sealed class LobbyClosedException : Exception
    {
        internal LobbyClosedException(LobbyClosure closure) : base("the lobby closed: " + closure.End, closure.Error)
        {
            Closure = closure;
        }

        /// <summary>Why it closed.</summary>
        public LobbyClosure Closure { get; private set; }
    }
}
