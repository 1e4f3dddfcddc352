using System;

namespace Matchyard
{
    /// <summary>
    /// Retry policy for calls that got no answer or a temporary error. All repetitions of a POST carry one idempotency
    /// key, so the POST takes effect only once.
    /// </summary>
    public sealed class RetryPolicy
    {
        /// <summary>Creates the default policy.</summary>
        public RetryPolicy()
        {
            GiveUpAfter = TimeSpan.FromSeconds(60);
            First = TimeSpan.FromMilliseconds(250);
            Longest = TimeSpan.FromSeconds(8);
            // The random generator is not seeded with the time, because games that start at the same instant must not
            // draw the same pauses.
            Draw = new Random(Guid.NewGuid().GetHashCode()).NextDouble;
        }

        /// <summary>Time since the start of the call after which retries stop; 60 s by default. Zero: each call is sent once.</summary>
        public TimeSpan GiveUpAfter { get; set; }

        /// <summary>
        /// Maximum pause before the second attempt; the maximum doubles with each attempt. 250 ms by default.
        /// </summary>
        public TimeSpan First { get; set; }

        /// <summary>
        /// Maximum pause between two attempts, unless the service requests a longer pause. 8 s by default.
        /// </summary>
        public TimeSpan Longest { get; set; }

        /// <summary>Returns a random number from 0 to less than 1. Replaceable for tests.</summary>
        public Func<double> Draw { get; set; }

        /// <summary>
        /// Returns the pause after a number of failures: a random time up to a bound that doubles, plus the pause that
        /// the service requested. Random pauses spread the next calls of clients that failed at the same time.
        /// </summary>
        internal TimeSpan Pause(int failures, TimeSpan? retryAfter)
        {
            var bound = Math.Min(Longest.TotalMilliseconds, First.TotalMilliseconds * Math.Pow(2, Math.Min(failures - 1, 20)));
            double drawn;
            lock (this) drawn = Draw();
            return (retryAfter ?? TimeSpan.Zero) + TimeSpan.FromMilliseconds(bound * drawn);
        }
    }
}
