using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A match that the lobby's players are asked about, as it was at one version of the lobby.</summary>
    public sealed class ProposalState
    {
        internal ProposalState(JsonObject raw)
        {
            MatchId = raw.GetString("match_id") ?? "";
            ExpiresAt = Wire.TimeOf(raw.GetString("expires_at"));
            Needed = (int)(raw.GetLong("needed") ?? 0);
            Accepted = (int)(raw.GetLong("accepted") ?? 0);
            var answers = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var one in Wire.ListOf(raw.GetArray("players"), player => player))
            {
                answers[one.GetString("player_id") ?? ""] = one.GetString("answer") ?? "none";
            }
            Answers = answers;
        }

        /// <summary>The match, if all accept.</summary>
        public string MatchId { get; private set; }

        /// <summary>By then all must have accepted.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }

        /// <summary>How many players the match has.</summary>
        public int Needed { get; private set; }

        /// <summary>How many of them have accepted.</summary>
        public int Accepted { get; private set; }

        /// <summary>What the lobby's own players answered: <c>none</c>, <c>accepted</c> or <c>declined</c>.</summary>
        public IReadOnlyDictionary<string, string> Answers { get; private set; }
    }

    /// <summary>A match that this player is asked about.</summary>
    public sealed class Proposal
    {
        private readonly Lobby lobby;

        internal Proposal(Lobby lobby, ProposalState state)
        {
            this.lobby = lobby;
            MatchId = state.MatchId;
            ExpiresAt = state.ExpiresAt;
            Needed = state.Needed;
        }

        /// <summary>The match, if all accept.</summary>
        public string MatchId { get; private set; }

        /// <summary>By then all must have accepted; who has not is back in waiting.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }

        /// <summary>How many players the match has.</summary>
        public int Needed { get; private set; }

        /// <summary>This player plays.</summary>
        public Task Accept(CancellationToken cancellation = default(CancellationToken))
        {
            return lobby.Answer("accept", MatchId, cancellation);
        }

        /// <summary>This player does not; the lobby is back in waiting, all others search on.</summary>
        public Task Decline(CancellationToken cancellation = default(CancellationToken))
        {
            return lobby.Answer("decline", MatchId, cancellation);
        }
    }
}
