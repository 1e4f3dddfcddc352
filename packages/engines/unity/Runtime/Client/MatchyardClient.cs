using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>How to play alone, or with whom matchmaking finds.</summary>
    public sealed class PlayOptions
    {
        /// <summary>This player's state: what matchmaking's rules read.</summary>
        public IEnumerable<KeyValuePair<string, object>> State { get; set; }

        /// <summary>The lobby's settings; the game server gets those of the lobby that waited longest.</summary>
        public IEnumerable<KeyValuePair<string, object>> Settings { get; set; }

        /// <summary>Is asked about each match that is proposed; unless said it is accepted.</summary>
        public Func<Proposal, Task> OnProposal { get; set; }
    }

    /// <summary>
    /// One player of a game, and the service. Use one for as long as the player plays; it may be used from any thread, and raises its events
    /// where it was made (in Unity: on the main thread).
    /// </summary>
    public sealed class MatchyardClient : IDisposable
    {
        private static readonly TimeSpan LeaveWithin = TimeSpan.FromSeconds(10);

        private readonly ServiceCalls calls;

        /// <summary>For a player who is believed. <paramref name="clientKey"/> begins with <c>ck_live_</c>.</summary>
        public MatchyardClient(string baseUrl, string clientKey, string player)
            : this(new MatchyardOptions { BaseUrl = baseUrl, ClientKey = clientKey, Player = player })
        {
        }

        /// <summary>With everything that can be said.</summary>
        /// <exception cref="ArgumentException">Something required is missing or cannot be.</exception>
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
        }

        /// <summary>Makes, finds and joins lobbies.</summary>
        public Lobbies Lobbies { get; private set; }

        /// <summary>
        /// From nothing to a match: makes a private lobby for this player alone, searches, and waits until the match can be played. If that
        /// fails or is cancelled the player has left the lobby again.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The search ended without a match.</exception>
        /// <exception cref="MatchyardException">The service refused, or could not be reached.</exception>
        public async Task<Match> Play(string queueId, PlayOptions options = null, CancellationToken cancellation = default(CancellationToken))
        {
            var wanted = options ?? new PlayOptions();
            var lobby = await Lobbies.Create(queueId, new NewLobby { State = wanted.State, Settings = wanted.Settings, IsPrivate = true }, cancellation);
            try
            {
                return await lobby.FindMatch(new FindMatchOptions { OnProposal = wanted.OnProposal }, cancellation);
            }
            catch (Exception)
            {
                await LeaveQuietly(lobby);
                throw;
            }
        }

        /// <summary>Ends its connections. Lobbies are not left by it; see <see cref="Lobby.Leave"/>.</summary>
        public void Dispose()
        {
            calls.Dispose();
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
                    // Why it failed is more worth telling; an abandoned lobby ends by itself.
                }
            }
            lobby.Dispose();
        }
    }
}
