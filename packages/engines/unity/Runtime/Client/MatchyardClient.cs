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
    }

    /// <summary>
    /// One player of a game, connected to the service. Use one object while the player plays. It may be used from any thread, and raises
    /// its events on the thread that created it (in Unity: the main thread).
    /// </summary>
    public sealed class MatchyardClient : IDisposable
    {
        private static readonly TimeSpan LeaveWithin = TimeSpan.FromSeconds(10);

        private readonly ServiceCalls calls;

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
        }

        /// <summary>Creates, finds and joins lobbies.</summary>
        public Lobbies Lobbies { get; private set; }

        /// <summary>
        /// Finds a match: creates a private lobby for this player, searches, and waits until the match can be played. After a failure or a
        /// cancellation the player has left the lobby.
        /// </summary>
        /// <exception cref="MatchmakingEndedException">The search ended without a match.</exception>
        /// <exception cref="MatchyardException">The service rejected a call, or could not be reached.</exception>
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

        /// <summary>Ends the connections. The player stays in its lobbies; see <see cref="Lobby.Leave"/>.</summary>
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
                    // The first error is more important than this one, and the service removes an abandoned lobby by
                    // itself.
                }
            }
            lobby.Dispose();
        }
    }
}
