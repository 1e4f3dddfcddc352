using System;

namespace Matchyard
{
    /// <summary>The service refused a call, or could not be reached for as long as it was tried.</summary>
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

        /// <summary>What kind of refusal, for ever the same: one of <see cref="ErrorCodes"/>, or one that is newer than this package.</summary>
        public string Code { get; private set; }

        /// <summary>The same as a number; 0 where the service did not answer.</summary>
        public int Number { get; private set; }

        /// <summary>The HTTP status; 0 where the service did not answer.</summary>
        public int Status { get; private set; }

        /// <summary>What happened, in a sentence for a developer. Its wording may change.</summary>
        public string Detail { get; private set; }

        /// <summary>Where there is more to say: the <c>issues</c> of <c>VALIDATION_FAILED</c>, the <c>rule</c> of <c>PARTY_CANNOT_MATCH</c>.</summary>
        public JsonObject Details { get; private set; }

        /// <summary>By this the call is found in the service's log; null where the service did not answer.</summary>
        public string RequestId { get; private set; }

        /// <summary>When to ask again, where the service said so.</summary>
        public TimeSpan? RetryAfter { get; private set; }

        /// <summary>Whether it is this refusal: <c>catch (MatchyardException e) when (e.Is(ErrorCodes.LobbyFull))</c>.</summary>
        public bool Is(string code)
        {
            return Code == code;
        }
    }
}
