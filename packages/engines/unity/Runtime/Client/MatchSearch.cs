using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Options of a search.</summary>
    public sealed class FindMatchOptions
    {
        /// <summary>
        /// Called for each proposed match of a queue with a ready check; the returned task may take time. By default every proposal is
        /// accepted.
        /// </summary>
        public Func<Proposal, Task> OnProposal { get; set; }
    }

    /// <summary>The search ended without a match.</summary>
    public sealed class MatchmakingEndedException : Exception
    {
        internal MatchmakingEndedException(LobbyExit exit) : base(exit.Reason + ": " + exit.Detail)
        {
            Exit = exit;
        }

        /// <summary>Return of the lobby to waiting, with its reason.</summary>
        public LobbyExit Exit { get; private set; }
    }

    /// <summary>Follows one lobby from the start of its search to a match that can be played.</summary>
    internal sealed class MatchSearch
    {
        private static readonly TimeSpan CancelWithin = TimeSpan.FromSeconds(10);

        private readonly Lobby lobby;
        private readonly ServiceCalls calls;
        private readonly Handlers handlers;
        private readonly FindMatchOptions options;
        private string proposed;
        private bool hasLeftWaiting;

        public MatchSearch(Lobby lobby, ServiceCalls calls, Handlers handlers, FindMatchOptions options)
        {
            this.lobby = lobby;
            this.calls = calls;
            this.handlers = handlers;
            this.options = options;
        }

        public async Task<Match> Run(CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            var exitBefore = ExitOf(lobby.Current);
            lobby.Changed += OnChange;
            try
            {
                if (lobby.IsHost && lobby.Current.Status == LobbyStatus.Waiting) await Enter(cancellation);
                OnChange(lobby.Current, lobby.Current);
                var end = await lobby.State.Until(now => IsEnd(now, exitBefore), cancellation);
                if (end.Status != LobbyStatus.InGame) throw new MatchmakingEndedException(end.LastExit ?? new LobbyExit(new JsonObject()));
                return await Match.Open(lobby, calls, end, cancellation);
            }
            catch (OperationCanceledException)
            {
                if (cancellation.IsCancellationRequested) await Cancel();
                throw;
            }
            finally
            {
                lobby.Changed -= OnChange;
            }
        }

        private async Task Enter(CancellationToken cancellation)
        {
            try
            {
                await lobby.Change(new ServiceCall("POST", "lobbies", lobby.Current.LobbyId, "queue"), cancellation);
                hasLeftWaiting = true;
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.InvalidLobbyState))
            {
                // The lobby is not waiting any more: it already searches, because this player started the search on
                // another device, or it was started directly.
            }
        }

        private bool IsEnd(LobbySnapshot now, DateTimeOffset exitBefore)
        {
            if (now.Status == LobbyStatus.InGame) return true;
            if (now.Status != LobbyStatus.Waiting)
            {
                hasLeftWaiting = true;
                return false;
            }
            // Quick changes are reported as one change, so the lobby may have left `waiting` and returned. When
            // `LastExit` is null, the lobby has entered the queue again.
            return now.LastExit != null && !now.LastExit.WillRequeue && (hasLeftWaiting || ExitOf(now) != exitBefore);
        }

        private static DateTimeOffset ExitOf(LobbySnapshot lobby)
        {
            return lobby.LastExit == null ? DateTimeOffset.MinValue : lobby.LastExit.At;
        }

        private void OnChange(LobbySnapshot now, LobbySnapshot before)
        {
            if (now.Proposal == null) return;
            lock (this)
            {
                if (now.Proposal.MatchId == proposed) return;
                proposed = now.Proposal.MatchId;
            }
            handlers.Watch(Ask(new Proposal(lobby, now.Proposal)));
        }

        private async Task Ask(Proposal proposal)
        {
            try
            {
                await (options.OnProposal == null ? proposal.Accept() : options.OnProposal(proposal));
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.NoProposal) || error.Is(ErrorCodes.ProposalChanged) || error.Is(ErrorCodes.LobbyNotFound))
            {
                // The proposal has ended meanwhile; the next state of the lobby shows that.
            }
        }

        /// <summary>Ends the search of the lobby, ignoring failures, because the caller has cancelled.</summary>
        private async Task Cancel()
        {
            if (!lobby.IsHost || lobby.Closure != null) return;
            using (var within = new CancellationTokenSource(CancelWithin))
            {
                try
                {
                    await lobby.Change(new ServiceCall("DELETE", "lobbies", lobby.Current.LobbyId, "queue"), within.Token);
                }
                catch (Exception error) when (error is MatchyardException || error is OperationCanceledException)
                {
                    // The lobby was matched at the same instant, or the service cannot be reached; later states of the
                    // lobby show the result.
                }
            }
        }
    }
}
