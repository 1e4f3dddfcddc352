using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// Transport of calls, with its clock. <see cref="HttpClientTransport"/> is the default; browsers (WebGL), which have no sockets and
    /// timers, use UnityWebRequest. Implement your own for another network stack, or for tests.
    /// </summary>
    public interface IHttpTransport : IDisposable
    {
        /// <summary>
        /// Sends one call once; the caller repeats it if necessary. Returns every answer, including errors. Throws
        /// <see cref="HttpTransportException"/> when there is no answer, and <see cref="OperationCanceledException"/>
        /// only when cancelled.
        /// </summary>
        Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation);

        /// <summary>Waits for a time.</summary>
        Task Delay(TimeSpan time, CancellationToken cancellation);
    }

    /// <summary>No answer arrived: there was no connection, the connection broke, or the call timed out.</summary>
    public sealed class HttpTransportException : Exception
    {
        /// <summary>Creates the exception with its cause.</summary>
        public HttpTransportException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }
}
