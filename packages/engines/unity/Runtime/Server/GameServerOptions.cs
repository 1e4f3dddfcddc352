using System;

namespace Matchyard
{
    /// <summary>How a game server is attached.</summary>
    public sealed class GameServerOptions
    {
        /// <summary>
        /// Outside Matchyard (in the editor, on your own machine): what the configuration file would say, as far as the game reads it; all may be left
        /// out. It counts only where Matchyard has not started the process, and no call then leaves the machine.
        /// </summary>
        public JsonObject Local { get; set; }

        /// <summary>How failed calls are repeated.</summary>
        public RetryPolicy Retry { get; set; }

        /// <summary>How calls go out. It is disposed with the server.</summary>
        public IHttpTransport Transport { get; set; }

        /// <summary>Is told of exceptions that your own event handlers threw. Unless said they are printed as the platform prints errors.</summary>
        public Action<Exception> OnHandlerError { get; set; }
    }
}
