using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// How calls go out, and how time passes. <see cref="HttpClientTransport"/> is the usual one; in a browser (WebGL), where there are neither
    /// sockets nor timers, UnityWebRequest takes its place. Bring your own for a platform with a network stack of its own, or for tests.
    /// </summary>
    public interface IHttpTransport : IDisposable
    {
        /// <summary>
        /// Sends one call, once; whoever calls repeats it. Any answer is an answer, also a refusal. Throws
        /// <see cref="HttpTransportException"/> where none came, and <see cref="OperationCanceledException"/> where it was cancelled, and only then.
        /// </summary>
        Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation);

        /// <summary>Lets time pass.</summary>
        Task Delay(TimeSpan time, CancellationToken cancellation);
    }

    /// <summary>No answer came: no connection, a broken one, or none in time.</summary>
    public sealed class HttpTransportException : Exception
    {
        /// <summary>What stood against it.</summary>
        public HttpTransportException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }
}
