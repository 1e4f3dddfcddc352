using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Searches that one client has begun, at most one for each queue. It may be used from any thread.</summary>
    internal sealed class Searches
    {
        private readonly Dictionary<string, Search> searches = new Dictionary<string, Search>();

        /// <summary>
        /// Returns the match of the queue's present search; without one, begins a search. The cancellation of any caller ends the search.
        /// </summary>
        public async Task<Match> Join(string queueId, Func<CancellationToken, Task<Match>> begin, CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            Search search;
            lock (searches)
            {
                Search before;
                if (searches.TryGetValue(queueId, out before) && before.IsPresent) search = before;
                else searches[queueId] = search = new Search(before, begin);
            }
            using (cancellation.Register(search.Cancel)) return await search.Match;
        }

        private sealed class Search
        {
            private readonly CancellationTokenSource cancelled = new CancellationTokenSource();

            public Search(Search before, Func<CancellationToken, Task<Match>> begin)
            {
                Match = Run(before, begin);
            }

            public Task<Match> Match { get; private set; }

            public bool IsPresent
            {
                get { return !Match.IsCompleted && !cancelled.IsCancellationRequested; }
            }

            public void Cancel()
            {
                cancelled.Cancel();
            }

            private async Task<Match> Run(Search before, Func<CancellationToken, Task<Match>> begin)
            {
                if (before != null && !before.Match.IsCompleted)
                {
                    try
                    {
                        // A search that is being cancelled may still find a match, which is then the match of this search too.
                        return await before.Match;
                    }
                    catch (Exception)
                    {
                        // The callers of that search get its error.
                    }
                }
                return await begin(cancelled.Token);
            }
        }
    }
}
