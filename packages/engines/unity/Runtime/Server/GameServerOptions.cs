using System;

namespace Matchyard
{
    /// <summary>Options for attaching a game server.</summary>
    public sealed class GameServerOptions
    {
        /// <summary>
        /// Configuration for a process without Matchyard (in the editor, on your own machine); all fields are optional. Used only when
        /// Matchyard has not started the process, which then makes no network calls.
        /// </summary>
        public JsonObject Local { get; set; }

        /// <summary>Retry policy of calls.</summary>
        public RetryPolicy Retry { get; set; }

        /// <summary>Transport of calls. Disposed with the server.</summary>
        public IHttpTransport Transport { get; set; }

        /// <summary>Called with exceptions of your own event handlers. By default the platform prints them as errors.</summary>
        public Action<Exception> OnHandlerError { get; set; }
    }
}
