using System;

namespace Matchyard
{
    /// <summary>
    /// How a call that got no answer, or "not now", is repeated. A POST goes under one idempotency key however often it is sent, so
    /// its effect happens once.
    /// </summary>
    public sealed class RetryPolicy
    {
        /// <summary>As it is unless you say otherwise.</summary>
        public RetryPolicy()
        {
            GiveUpAfter = TimeSpan.FromSeconds(60);
            First = TimeSpan.FromMilliseconds(250);
            Longest = TimeSpan.FromSeconds(8);
            // Not by the time: games that a crowd starts at the same instant are not to draw the same.
            Draw = new Random(Guid.NewGuid().GetHashCode()).NextDouble;
        }

        /// <summary>Since the call began; 60 s unless said. Zero: each call is sent once.</summary>
        public TimeSpan GiveUpAfter { get; set; }

        /// <summary>The longest pause before the second attempt; it doubles with each. 250 ms unless said.</summary>
        public TimeSpan First { get; set; }

        /// <summary>No pause is longer, unless the service asks for one. 8 s unless said.</summary>
        public TimeSpan Longest { get; set; }

        /// <summary>Draws a number from 0 to less than 1. For tests.</summary>
        public Func<double> Draw { get; set; }

        /// <summary>
        /// The pause after so many failures: anything up to a bound that doubles, so that those who failed together do not come back
        /// together; on top of what the service asked for.
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
