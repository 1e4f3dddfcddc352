#if UNITY_5_3_OR_NEWER
using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Networking;

namespace Matchyard
{
    /// <summary>
    /// Transport by UnityWebRequest. It is the only transport that works in a browser. On other platforms it uses the
    /// platform's proxies. Create and use it on Unity's main thread.
    /// </summary>
    public sealed class UnityWebRequestTransport : IHttpTransport
    {
        private readonly SynchronizationContext mainThread = SynchronizationContext.Current;

        /// <inheritdoc/>
        public async Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            var data = new Receiver(call.OnData);
            using (var request = new UnityWebRequest(call.Url.AbsoluteUri, call.Method, data, UploadOf(call)))
            {
                foreach (var header in call.Headers) request.SetRequestHeader(header.Key, header.Value);
                request.redirectLimit = 0;
                // A stream has no fixed end, so it has no timeout for the whole request. Its reader ends it after too
                // long a silence.
                request.timeout = call.OnData == null ? (int)Math.Ceiling(call.Timeout.TotalSeconds) : 0;
                var done = new TaskCompletionSource<bool>();
                request.SendWebRequest().completed += _ => done.TrySetResult(true);
                using (var silence = call.OnData == null ? null : new SilenceWatch(data, call.Timeout, () => Abort(request)))
                using (cancellation.Register(() => Abort(request)))
                {
                    await done.Task;
                }
                cancellation.ThrowIfCancellationRequested();
                if (data.Fault != null) throw new HttpTransportException(data.Fault.Message, data.Fault);
                // Status 0 means that there was no answer, or an incomplete answer.
                var isBroken = request.responseCode == 0 || data.IsCut(request);
                if (isBroken) throw new HttpTransportException(call.Method + " " + call.Url.GetLeftPart(UriPartial.Path) + ": " + request.error);
                return new HttpAnswer((int)request.responseCode, request.GetResponseHeaders() ?? new Dictionary<string, string>(), data.Bytes);
            }
        }

        /// <summary>Waits frame by frame, because browsers have no timers for .NET. The game's time scale has no effect.</summary>
        public Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            var done = new TaskCompletionSource<bool>();
            CoroutineHost.Run(Wait((float)time.TotalSeconds, done, cancellation));
            return done.Task;
        }

        /// <summary>There is nothing to close.</summary>
        public void Dispose()
        {
        }

        private static IEnumerator Wait(float seconds, TaskCompletionSource<bool> done, CancellationToken cancellation)
        {
            var until = Time.realtimeSinceStartup + seconds;
            while (Time.realtimeSinceStartup < until && !cancellation.IsCancellationRequested) yield return null;
            if (cancellation.IsCancellationRequested) done.TrySetCanceled();
            else done.TrySetResult(true);
        }

        private static UploadHandler UploadOf(HttpCall call)
        {
            return call.Body == null ? null : new UploadHandlerRaw(Encoding.UTF8.GetBytes(call.Body)) { contentType = "application/json" };
        }

        /// <summary>Unity's objects belong to the main thread, and a cancellation may come from another thread.</summary>
        private void Abort(UnityWebRequest request)
        {
            if (mainThread == null || mainThread == SynchronizationContext.Current) AbortHere(request);
            else mainThread.Post(_ => AbortHere(request), null);
        }

        private static void AbortHere(UnityWebRequest request)
        {
            try
            {
                request.Abort();
            }
            catch (Exception error) when (error is ArgumentNullException || error is NullReferenceException || error is ObjectDisposedException)
            {
                // The request is over and disposed; there is nothing to abort.
            }
        }

        /// <summary>Takes a body in pieces.</summary>
        private sealed class Receiver : DownloadHandlerScript
        {
            private readonly Action<ArraySegment<byte>> onData;
            private readonly List<byte> bytes = new List<byte>();

            public Receiver(Action<ArraySegment<byte>> onData) : base(new byte[8192])
            {
                this.onData = onData;
                LastHeard = Time.realtimeSinceStartup;
            }

            public Exception Fault { get; private set; }

            public float LastHeard { get; private set; }

            public byte[] Bytes
            {
                get { return bytes.ToArray(); }
            }

            /// <summary>
            /// Whether an answer was cut before its end. Unity also reports HTTP errors here, which this package treats
            /// as answers.
            /// </summary>
            public bool IsCut(UnityWebRequest request)
            {
                var isSuccess = request.responseCode >= 200 && request.responseCode <= 299;
                return isSuccess && !string.IsNullOrEmpty(request.error);
            }

            protected override bool ReceiveData(byte[] received, int length)
            {
                LastHeard = Time.realtimeSinceStartup;
                try
                {
                    if (onData != null) onData(new ArraySegment<byte>(received, 0, length));
                    else bytes.AddRange(new ArraySegment<byte>(received, 0, length));
                    return true;
                }
                catch (Exception error)
                {
                    // An exception must not pass through the engine; returning false ends the request.
                    Fault = error;
                    return false;
                }
            }
        }

        /// <summary>Ends a stream that was silent for too long.</summary>
        private sealed class SilenceWatch : IDisposable
        {
            private bool isOver;

            public SilenceWatch(Receiver receiver, TimeSpan longest, Action onSilence)
            {
                CoroutineHost.Run(Watch(receiver, (float)longest.TotalSeconds, onSilence));
            }

            public void Dispose()
            {
                isOver = true;
            }

            private IEnumerator Watch(Receiver receiver, float longest, Action onSilence)
            {
                while (!isOver && Time.realtimeSinceStartup - receiver.LastHeard < longest) yield return null;
                if (!isOver) onSilence();
            }
        }

        /// <summary>
        /// A game object that lives as long as the game, because coroutines need an object to run on.
        /// </summary>
        private sealed class CoroutineHost : MonoBehaviour
        {
            private static CoroutineHost host;

            public static void Run(IEnumerator coroutine)
            {
                if (host == null)
                {
                    var made = new GameObject("Matchyard") { hideFlags = HideFlags.HideAndDontSave };
                    DontDestroyOnLoad(made);
                    host = made.AddComponent<CoroutineHost>();
                }
                host.StartCoroutine(coroutine);
            }
        }
    }
}
#endif
