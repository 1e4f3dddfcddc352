using System;

namespace Matchyard
{
    /// <summary>The service rejected a call, or could not be reached within the retry time.</summary>
    public sealed class MatchyardException : Exception
    {
        internal MatchyardException(string code, int number, int status, string detail, string requestId = null, JsonObject details = null, TimeSpan? retryAfter = null, Exception cause = null)
            : base(code + ": " + detail + (requestId == null ? "" : " (" + requestId + ")"), cause)
        {
            Code = code;
            Number = number;
            Status = status;
            Detail = detail;
            RequestId = requestId;
            Details = details ?? new JsonObject();
            RetryAfter = retryAfter;
        }

        /// <summary>Stable code: one of <see cref="ErrorCodes"/>, or a code that is newer than this package.</summary>
        public string Code { get; private set; }

        /// <summary>Stable number of the code; 0 without an answer of the service.</summary>
        public int Number { get; private set; }

        /// <summary>HTTP status; 0 without an answer of the service.</summary>
        public int Status { get; private set; }

        /// <summary>Explanation for a developer. Its wording may change.</summary>
        public string Detail { get; private set; }

        /// <summary>
        /// Further data, depending on the code: the <c>issues</c> of <c>VALIDATION_FAILED</c>, the <c>rule</c> of
        /// <c>PARTY_CANNOT_MATCH</c>.
        /// </summary>
        public JsonObject Details { get; private set; }

        /// <summary>
        /// Match that keeps a player out of another match; only of <c>PLAYER_IN_MATCH</c>, else null. If several players of the lobby are
        /// in a match, this is the match of the first; <see cref="Details"/> has all.
        /// </summary>
        public string MatchId
        {
            get
            {
                var players = Code == ErrorCodes.PlayerInMatch ? Details.GetArray("players") : null;
                if (players == null) return null;
                foreach (var player in players.Objects()) return player.GetString("match_id");
                return null;
            }
        }

        /// <summary>Id of the request in the service's log; null without an answer of the service.</summary>
        public string RequestId { get; private set; }

        /// <summary>Pause that the service requested; null without one.</summary>
        public TimeSpan? RetryAfter { get; private set; }

        /// <summary>Whether the exception has this code: <c>catch (MatchyardException e) when (e.Is(ErrorCodes.LobbyFull))</c>.</summary>
        public bool Is(string code)
        {
            return Code == code;
        }
    }
}
