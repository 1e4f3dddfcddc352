using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Source of credentials; the credentials may change from one attempt to the next.</summary>
    internal interface ICaller
    {
        Task Identify(HttpCall call, bool isAnonymous, CancellationToken cancellation);

        /// <summary>
        /// Whether a newer credential than the refused one exists, so that another attempt is useful.
        /// </summary>
        bool HasBetterThan(MatchyardException refusal);
    }

    /// <summary>Sends calls to the service, repeats them if useful, and reads their answers.</summary>
    internal sealed class ServiceCalls : IDisposable
    {
        private readonly Uri baseUrl;
        private readonly IHttpTransport transport;
        private readonly ICaller caller;
        private readonly RetryPolicy retry;
        private readonly CancellationTokenSource ended = new CancellationTokenSource();

        public ServiceCalls(Uri baseUrl, IHttpTransport transport, ICaller caller, RetryPolicy retry)
        {
            // The slash at the end is needed when the service has a path on its host: without it, relative addresses
            // would lose the last part of that path.
            this.baseUrl = baseUrl.AbsolutePath.EndsWith("/", StringComparison.Ordinal) ? baseUrl : new Uri(baseUrl + "/");
            this.transport = transport;
            this.caller = caller;
            this.retry = retry;
        }

        /// <summary>
        /// Returns the body of the answer; null for an empty body. Throws <see cref="MatchyardException"/> for a
        /// refusal: at once if another attempt would be refused as well.
        /// </summary>
        public async Task<JsonObject> Send(ServiceCall call, CancellationToken cancellation)
        {
            var since = Stopwatch.StartNew();
            for (var failures = 1; ; failures++)
            {
                MatchyardException refusal;
                try
                {
                    return await Once(call, cancellation);
                }
                catch (MatchyardException error)
                {
                    refusal = error;
                }
                if (failures == 1 && caller.HasBetterThan(refusal)) continue;
                if (!Refusal.IsPassing(refusal)) throw refusal;
                var pause = retry.Pause(failures, refusal.RetryAfter);
                if (since.Elapsed + pause > retry.GiveUpAfter) throw refusal;
                await transport.Delay(pause, cancellation);
            }
        }

        /// <summary>Sends one attempt.</summary>
        public async Task<JsonObject> Once(ServiceCall call, CancellationToken cancellation)
        {
            var http = new HttpCall(call.Method, UrlOf(call)) { Timeout = call.Timeout };
            await caller.Identify(http, call.IsAnonymous, cancellation);
            if (call.IdempotencyKey != null) http.Headers.Add(new KeyValuePair<string, string>("idempotency-key", call.IdempotencyKey));
            if (call.Body != null) http.Body = JsonText.Write(call.Body);
            var answer = await Answer(http, cancellation);
            try
            {
                return Refusal.ObjectOf(answer);
            }
            catch (JsonFormatException error)
            {
                // A body that is not JSON comes from a captive portal, or from an answer that was cut.
                throw Refusal.Unanswered(error);
            }
        }

        /// <summary>Reads an event stream until it ends. Throws like a call; a broken stream is <c>UNREACHABLE</c>.</summary>
        public async Task Stream(ServiceCall call, string lastEventId, TimeSpan silence, Action<ArraySegment<byte>> onData, CancellationToken cancellation)
        {
            var http = new HttpCall(call.Method, UrlOf(call)) { Timeout = silence, OnData = onData };
            await caller.Identify(http, call.IsAnonymous, cancellation);
            http.Headers.Add(new KeyValuePair<string, string>("accept", "text/event-stream"));
            if (lastEventId != null) http.Headers.Add(new KeyValuePair<string, string>("last-event-id", lastEventId));
            await Answer(http, cancellation);
        }

        /// <summary>Waits for the pause that the retry policy sets after a number of failures.</summary>
        public Task Pause(int failures, TimeSpan? retryAfter, CancellationToken cancellation)
        {
            return transport.Delay(retry.Pause(failures, retryAfter), cancellation);
        }

        /// <summary>Waits for a time.</summary>
        public Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            return transport.Delay(time, cancellation);
        }

        /// <summary>Token that is cancelled when the owner of these calls is disposed.</summary>
        public CancellationToken Ended
        {
            get { return ended.Token; }
        }

        public void Dispose()
        {
            ended.Cancel();
            transport.Dispose();
        }

        private Uri UrlOf(ServiceCall call)
        {
            return new Uri(baseUrl, call.PathAndQuery.TrimStart('/'));
        }

        private async Task<HttpAnswer> Answer(HttpCall http, CancellationToken cancellation)
        {
            HttpAnswer answer;
            try
            {
                answer = await transport.Send(http, cancellation);
            }
            catch (HttpTransportException error)
            {
                throw Refusal.Unanswered(error);
            }
            if (answer.Status < 200 || answer.Status > 299) throw Refusal.Of(answer);
            return answer;
        }
    }
}
