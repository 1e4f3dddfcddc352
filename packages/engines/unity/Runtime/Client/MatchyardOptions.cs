using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Where the service is and who plays.</summary>
    public sealed class MatchyardOptions
    {
        /// <summary>Where the service is: <c>https://play.example.com</c>. Required.</summary>
        public string BaseUrl { get; set; }

        /// <summary>The project's client key, <c>ck_live_…</c>. Required; it may be shipped in a game, a server key never.</summary>
        public string ClientKey { get; set; }

        /// <summary>
        /// Who plays: 1 to 128 characters of ASCII, because it goes as a header. Required, unless there is a <see cref="PlayerToken"/>.
        /// </summary>
        public string Player { get; set; }

        /// <summary>
        /// For projects whose players prove who they are: asks your backend for a token. It is asked again shortly before the token ends and when
        /// the service refuses it. The player is then whom the token names.
        /// </summary>
        public Func<CancellationToken, Task<string>> PlayerToken { get; set; }

        /// <summary>How failed calls are repeated.</summary>
        public RetryPolicy Retry { get; set; }

        /// <summary>How calls go out; what suits the platform unless said. It is disposed with the client.</summary>
        public IHttpTransport Transport { get; set; }

        /// <summary>Is told of exceptions that your own event handlers threw. Unless said they are printed as the platform prints errors.</summary>
        public Action<Exception> OnHandlerError { get; set; }
    }
}
