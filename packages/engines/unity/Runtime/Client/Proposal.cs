using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>A proposed match, at one version of the lobby.</summary>
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

        /// <summary>Id of the match, if all players accept.</summary>
        public string MatchId { get; private set; }

        /// <summary>Deadline for all acceptances.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }

        /// <summary>Number of players in the match.</summary>
        public int Needed { get; private set; }

        /// <summary>Number of players who have accepted.</summary>
        public int Accepted { get; private set; }

        /// <summary>Answers of the lobby's own players: <c>none</c>, <c>accepted</c> or <c>declined</c>.</summary>
        public IReadOnlyDictionary<string, string> Answers { get; private set; }
    }

    /// <summary>A proposed match that this player must answer.</summary>
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

        /// <summary>Id of the match, if all players accept.</summary>
        public string MatchId { get; private set; }

        /// <summary>Deadline for all acceptances; lobbies of players without an answer return to waiting.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }

        /// <summary>Number of players in the match.</summary>
        public int Needed { get; private set; }

        /// <summary>Accepts the match.</summary>
        public Task Accept(CancellationToken cancellation = default(CancellationToken))
        {
            return lobby.Answer("accept", MatchId, cancellation);
        }

        /// <summary>
        /// Declines the match; this lobby returns to waiting, and all other lobbies continue to search.
        /// </summary>
        public Task Decline(CancellationToken cancellation = default(CancellationToken))
        {
            return lobby.Answer("decline", MatchId, cancellation);
        }
    }
}
