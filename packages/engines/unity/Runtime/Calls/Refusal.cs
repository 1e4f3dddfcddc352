using System;
using System.Globalization;
using System.Text;

namespace Matchyard
{
    /// <summary>Turns an answer that reports an error into an exception.</summary>
    internal static class Refusal
    {
        /// <summary>Longest pause that the service may request.</summary>
        private static readonly TimeSpan LongestAsked = TimeSpan.FromMinutes(5);

        private static readonly Encoding Utf8 = new UTF8Encoding(false, true);

        public static MatchyardException Of(HttpAnswer answer)
        {
            JsonObject problem;
            try
            {
                problem = ObjectOf(answer);
            }
            catch (FormatException)
            {
                problem = null;
            }
            var code = problem == null ? null : problem.GetString("code");
            var requestId = answer.Header("x-request-id");
            // An answer without a code comes from a proxy, not from the service.
            if (code == null) return new MatchyardException(ErrorCodes.Unreachable, 0, answer.Status, "something in between answered " + answer.Status, requestId, null, RetryAfter(answer));
            var detail = problem.GetString("detail") ?? problem.GetString("title") ?? "";
            var number = (int)(problem.GetLong("number") ?? 0);
            return new MatchyardException(code, number, answer.Status, detail, problem.GetString("request_id") ?? requestId, problem.GetObject("details"), RetryAfter(answer));
        }

        public static MatchyardException Unanswered(Exception cause)
        {
            return new MatchyardException(ErrorCodes.Unreachable, 0, 0, cause.Message, null, null, null, cause);
        }

        /// <summary>Returns the body as a JSON object; null when the body is not one.</summary>
        public static JsonObject ObjectOf(HttpAnswer answer)
        {
            if (answer.Body.Length == 0) return null;
            try
            {
                return JsonText.ParseObject(Utf8.GetString(answer.Body));
            }
            catch (ArgumentException)
            {
                throw new JsonFormatException("the answer is not UTF-8");
            }
        }

        /// <summary>Whether the same call may succeed a moment later.</summary>
        public static bool IsPassing(MatchyardException refusal)
        {
            if (refusal.Is(ErrorCodes.Conflict) || refusal.Is(ErrorCodes.RateLimited) || refusal.Is(ErrorCodes.Unavailable)) return true;
            if (!refusal.Is(ErrorCodes.Unreachable)) return false;
            var status = refusal.Status;
            return status == 0 || status == 408 || status == 425 || status == 429 || status == 502 || status == 503 || status == 504;
        }

        private static TimeSpan? RetryAfter(HttpAnswer answer)
        {
            var header = answer.Header("retry-after");
            double seconds;
            if (header == null || !double.TryParse(header.Trim(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out seconds)) return null;
            return seconds >= LongestAsked.TotalSeconds ? LongestAsked : TimeSpan.FromSeconds(seconds);
        }
    }
}
