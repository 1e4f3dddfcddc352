using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Transport by .NET's own HttpClient, for all platforms except browsers.</summary>
    public sealed class HttpClientTransport : IHttpTransport
    {
        /// <summary>Maximum bytes of an answer; no answer of the service is larger.</summary>
        private const int LargestBody = 4 * 1024 * 1024;

        /// <summary>
        /// Maximum connections. Each followed lobby keeps one connection in use, and some runtimes allow only two by
        /// default.
        /// </summary>
        private const int Connections = 64;

        private readonly HttpClient client;

        /// <summary>Creates a transport with its own connections, which are kept open.</summary>
        public HttpClientTransport()
        {
            var handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };
            try
            {
                handler.MaxConnectionsPerServer = Connections;
            }
            catch (PlatformNotSupportedException)
            {
                // Some platforms do not support this setting. They use their own limit.
            }
            // Each call has its own timeout.
            client = new HttpClient(handler, true) { Timeout = Timeout.InfiniteTimeSpan };
        }

        /// <inheritdoc/>
        public async Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            using (var within = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
            using (var request = RequestOf(call))
            {
                within.CancelAfter(call.Timeout);
                try
                {
                    using (var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, within.Token))
                    using (var body = await response.Content.ReadAsStreamAsync())
                    {
                        var isStream = call.OnData != null && response.IsSuccessStatusCode;
                        var bytes = isStream ? await PassOn(body, call, within) : await ReadAll(body, within.Token);
                        return new HttpAnswer((int)response.StatusCode, HeadersOf(response), bytes);
                    }
                }
                catch (Exception error) when (!(error is HttpTransportException))
                {
                    cancellation.ThrowIfCancellationRequested();
                    // Runtimes use different exceptions for cancelled and broken connections.
                    var why = within.IsCancellationRequested ? "no answer within " + call.Timeout.TotalSeconds + " s" : Innermost(error).Message;
                    throw new HttpTransportException(call.Method + " " + call.Url.GetLeftPart(UriPartial.Path) + ": " + why, error);
                }
            }
        }

        /// <inheritdoc/>
        public Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            return Task.Delay(time, cancellation);
        }

        /// <summary>Closes the connections.</summary>
        public void Dispose()
        {
            client.Dispose();
        }

        private static HttpRequestMessage RequestOf(HttpCall call)
        {
            var request = new HttpRequestMessage(new HttpMethod(call.Method), call.Url);
            foreach (var header in call.Headers) request.Headers.TryAddWithoutValidation(header.Key, header.Value);
            if (call.Body != null) request.Content = new StringContent(call.Body, Encoding.UTF8, "application/json");
            return request;
        }

        private static IEnumerable<KeyValuePair<string, string>> HeadersOf(HttpResponseMessage response)
        {
            foreach (var header in response.Headers) yield return new KeyValuePair<string, string>(header.Key, string.Join(", ", header.Value));
            foreach (var header in response.Content.Headers) yield return new KeyValuePair<string, string>(header.Key, string.Join(", ", header.Value));
        }

        private static async Task<byte[]> ReadAll(Stream body, CancellationToken within)
        {
            var all = new MemoryStream();
            var buffer = new byte[8192];
            // Some streams ignore the cancellation token, so the body is closed to end the read.
            using (within.Register(body.Dispose))
            {
                for (; ; )
                {
                    var count = await body.ReadAsync(buffer, 0, buffer.Length, within);
                    if (count == 0) break;
                    all.Write(buffer, 0, count);
                    if (all.Length > LargestBody) throw new HttpTransportException("an answer of more than " + LargestBody + " bytes is none of the service's");
                }
            }
            within.ThrowIfCancellationRequested();
            return all.ToArray();
        }

        private static async Task<byte[]> PassOn(Stream body, HttpCall call, CancellationTokenSource within)
        {
            var buffer = new byte[8192];
            using (within.Token.Register(body.Dispose))
            {
                for (; ; )
                {
                    within.CancelAfter(call.Timeout);
                    var count = await body.ReadAsync(buffer, 0, buffer.Length, within.Token);
                    within.Token.ThrowIfCancellationRequested();
                    if (count == 0) return new byte[0];
                    call.OnData(new ArraySegment<byte>(buffer, 0, count));
                }
            }
        }

        private static Exception Innermost(Exception error)
        {
            return error.InnerException == null ? error : Innermost(error.InnerException);
        }
    }
}
