using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Address, keys and player of a client.</summary>
    public sealed class MatchyardOptions
    {
        /// <summary>Address of the service: <c>https://play.example.com</c>. Required.</summary>
        public string BaseUrl { get; set; }

        /// <summary>Client key of the project, <c>ck_live_…</c>. Required. It may be shipped with a game; a server key may not.</summary>
        public string ClientKey { get; set; }

        /// <summary>
        /// Id of the player: 1 to 128 ASCII characters, because it is sent as a header. Required without a <see cref="PlayerToken"/>.
        /// </summary>
        public string Player { get; set; }

        /// <summary>
        /// Fetches a player token from your backend, for projects whose players must prove their identity. Called again shortly before the
        /// token expires and when the service refuses it. The token names the player.
        /// </summary>
        public Func<CancellationToken, Task<string>> PlayerToken { get; set; }

        /// <summary>Retry policy of calls.</summary>
        public RetryPolicy Retry { get; set; }

        /// <summary>Transport of calls; the platform's default without a value. Disposed with the client.</summary>
        public IHttpTransport Transport { get; set; }

        /// <summary>Called with exceptions of your own event handlers. By default the platform prints them as errors.</summary>
        public Action<Exception> OnHandlerError { get; set; }
    }
}
