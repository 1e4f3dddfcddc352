using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Options for playing alone or with matched players.</summary>
    public sealed class PlayOptions
    {
        /// <summary>State of this player: the fields that matchmaking rules read.</summary>
        public IEnumerable<KeyValuePair<string, object>> State { get; set; }

        /// <summary>Settings of the lobby. The game server gets the settings of the lobby that waited longest.</summary>
        public IEnumerable<KeyValuePair<string, object>> Settings { get; set; }

        /// <summary>Called for each proposed match; by default it is accepted.</summary>
        public Func<Proposal, Task> OnProposal { get; set; }

        /// <summary>
        /// Whether the player leaves the match that keeps the player out of another match. A proposed match of another lobby is not left.
        /// </summary>
        public bool LeaveOther { get; set; }

        /// <summary>
        /// Whether the latencies to the regions are measured and put into the player's state, for the queue's <c>latency</c> rule. A
        /// measurement counts for five minutes. A state that has the field already stays as it is.
        /// </summary>
        public bool Measure { get; set; }

        /// <summary>Field of the state that gets the latencies, as the queue's <c>latency</c> rule names it; <c>pings</c> by default.</summary>
        public string MeasureField { get; set; }
    }

    /// <summary>
    /// One player of a game, connected to the service. Use one object while the player plays. It may be used from any thread, and raises
    /// its events on the thread that created it (in Unity: the main thread).
    /// </summary>
    public sealed class MatchyardClient : IDisposable
    {
        private static readonly TimeSpan LeaveWithin = TimeSpan.FromSeconds(10);

        private readonly ServiceCalls calls;
        private readonly Searches searches = new Searches();
        private readonly RegionMeter meter;

        /// <summary>
        /// Creates a client for a player without proof of identity. <paramref name="clientKey"/> begins with <c>ck_live_</c>.
        /// </summary>
        public MatchyardClient(string baseUrl, string clientKey, string player)
            : this(new MatchyardOptions { BaseUrl = baseUrl, ClientKey = clientKey, Player = player })
        {
        }

        /// <summary>Creates a client with all options.</summary>
        /// <exception cref="ArgumentException">A required option is missing or not valid.</exception>
        public MatchyardClient(MatchyardOptions options)
        {
            Uri baseUrl;
            if (!Uri.TryCreate(options.BaseUrl, UriKind.Absolute, out baseUrl) || (baseUrl.Scheme != "http" && baseUrl.Scheme != "https"))
            {
                throw new ArgumentException("BaseUrl must be an http or https address, and is \"" + options.BaseUrl + "\"", "BaseUrl");
            }
            if (options.ClientKey != null && options.ClientKey.StartsWith("sk_", StringComparison.Ordinal))
            {
                throw new ArgumentException("that is a server key: whoever has the game would have the project. Use the client key, ck_live_…", "ClientKey");
            }
            var caller = new PlayerCaller(options);
            calls = new ServiceCalls(baseUrl, options.Transport ?? Transports.Default(), caller, options.Retry ?? new RetryPolicy());
            Lobbies = new Lobbies(calls, caller, new Handlers(options.OnHandlerError));
            Ratings = new Ratings(calls, caller);
            meter = new RegionMeter(calls);
        }

        /// <summary>Creates, finds and joins lobbies.</summary>
        public Lobbies Lobbies { get; private set; }

        /// <summary>Reads ratings of players, and leaderboards.</summary>
        public Ratings Ratings { get; private set; }

        /// <summary>
        /// Finds a match: creates a private lobby for this player, searches, and waits until the match can be played. While this client
        /// searches or plays in the queue, another call returns the same match and ignores its options; the cancellation of any call
        /// ends the search. After a failure or a cancellation the player has left the lobby.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The search ended without a match.</exception>
        /// <exception cref="MatchyardException">The service rejected a call, or could not be reached. <c>PLAYER_IN_MATCH</c>: the player is
        /// in another match, <see cref="MatchyardException.MatchId"/>. <see cref="Resume"/> returns to that match,
        /// <see cref="PlayOptions.LeaveOther"/> leaves it.</exception>
        public Task<Match> Play(string queueId, PlayOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            var wanted = options ?? new PlayOptions();
            return searches.Join(queueId, cancelled => Search(queueId, wanted, cancelled), cancellation);
        }

        /// <summary>
        /// Returns to this player's live match, for a game that was closed, and waits until the match can be played; null when there is
        /// none. Matches of a queue with <c>concurrent_matches</c> do not count.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The match ended before it could be played.</exception>
        /// <exception cref="MatchyardException">The service rejected a call, or could not be reached.</exception>
        public async Task<Match> Resume(CancellationToken cancellation = default(CancellationToken))
        {
            var me = await calls.Send(new ServiceCall("GET", "players", "me"), cancellation);
            var live = me == null ? null : me.GetObject("live_match");
            if (live == null) return null;
            var lobby = await Lobbies.Open(new ServiceCall("GET", "lobbies", live.GetString("lobby_id")), cancellation);
            // In a lobby that waits again, FindMatch would begin a search.
            return lobby.Current.Status == LobbyStatus.Waiting ? null : await lobby.FindMatch(null, cancellation);
        }

        /// <summary>
        /// Measures the latency to each region in which game servers can run: the median of five UDP requests to a beacon near the game
        /// servers, in whole milliseconds, by the code of the region. A region without an answer is absent. By default answers are awaited
        /// for 1.5 seconds; for at most 10. Browsers (WebGL) have no UDP, so there the result is empty.
        /// </summary>
        /// <exception cref="MatchyardException">The service rejected the call, or could not be reached.</exception>
        public Task<IReadOnlyDictionary<string, int>> MeasureRegions(TimeSpan? timeout = null, CancellationToken cancellation = default(CancellationToken))
        {
            return meter.Measure(timeout, cancellation);
        }

        /// <summary>Ends the connections. The player stays in its lobbies; see <see cref="Lobby.Leave"/>.</summary>
        public void Dispose()
        {
            calls.Dispose();
        }

        private async Task<Match> Search(string queueId, PlayOptions wanted, CancellationToken cancellation)
        {
            var find = new FindMatchOptions { OnProposal = wanted.OnProposal };
            var busy = Lobbies.Followed(now => now.QueueId == queueId && now.Status != LobbyStatus.Waiting);
            if (busy != null) return await busy.FindMatch(find, cancellation);
            var state = await StateOf(wanted, cancellation);
            var lobby = await Lobbies.Create(queueId, new NewLobby { State = state, Settings = wanted.Settings, IsPrivate = true }, cancellation);
            try
            {
                try
                {
                    return await lobby.FindMatch(find, cancellation);
                }
                catch (MatchyardException error) when (wanted.LeaveOther && error.Is(ErrorCodes.PlayerInMatch))
                {
                    await LeaveMatch(error.MatchId, cancellation);
                }
                return await lobby.FindMatch(find, cancellation);
            }
            catch (Exception)
            {
                await LeaveQuietly(lobby);
                throw;
            }
        }

        /// <summary>Returns the state of the player with the measured latencies, if they are wanted.</summary>
        private async Task<IEnumerable<KeyValuePair<string, object>>> StateOf(PlayOptions wanted, CancellationToken cancellation)
        {
            if (!wanted.Measure) return wanted.State;
            var field = wanted.MeasureField ?? "pings";
            var state = new JsonObject();
            foreach (var one in wanted.State ?? new JsonObject()) state[one.Key] = one.Value;
            if (state.ContainsKey(field)) return state;
            var latencies = new JsonObject();
            foreach (var one in await meter.Recent(cancellation)) latencies[one.Key] = one.Value;
            // A rule treats an empty map as unreachable regions, and an absent field as a player without latencies.
            if (latencies.Count > 0) state[field] = latencies;
            return state;
        }

        private async Task LeaveMatch(string matchId, CancellationToken cancellation)
        {
            // A lobby that this client follows is left by its object, so that the object reports that the player left.
            var lobby = matchId == null ? null : Lobbies.Followed(now => now.MatchId == matchId);
            try
            {
                if (lobby != null) await lobby.Leave(cancellation);
                else await calls.Send(new ServiceCall("POST", "players", "me", "leave-match"), cancellation);
            }
            catch (MatchyardException error) when (error.Is(ErrorCodes.MatchNotFound))
            {
                // The match has ended meanwhile.
            }
        }

        private static async Task LeaveQuietly(Lobby lobby)
        {
            using (var within = new CancellationTokenSource(LeaveWithin))
            {
                try
                {
                    await lobby.Leave(within.Token);
                }
                catch (Exception error) when (error is MatchyardException || error is OperationCanceledException)
                {
                    // The first error is more important than this one, and the service removes an abandoned lobby by
                    // itself.
                }
            }
            lobby.Dispose();
        }
    }
}
