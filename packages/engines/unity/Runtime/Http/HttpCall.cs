using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>One request as it goes over the wire.</summary>
    public sealed class HttpCall
    {
        /// <summary>A request without a body.</summary>
        public HttpCall(string method, Uri url)
        {
            Method = method;
            Url = url;
            Headers = new List<KeyValuePair<string, string>>();
            Timeout = TimeSpan.FromSeconds(15);
        }

        /// <summary>GET, POST, PATCH, PUT or DELETE.</summary>
        public string Method { get; private set; }

        /// <summary>Where to.</summary>
        public Uri Url { get; private set; }

        /// <summary>All but those of the body; names in lower case, values in ASCII.</summary>
        public IList<KeyValuePair<string, string>> Headers { get; private set; }

        /// <summary>JSON; null where nothing is sent.</summary>
        public string Body { get; set; }

        /// <summary>How long one attempt may take. With <see cref="OnData"/>: how long it may be silent.</summary>
        public TimeSpan Timeout { get; set; }

        /// <summary>
        /// Set for an event stream: takes the body of a 2xx as it comes, and <see cref="HttpAnswer.Body"/> is empty then.
        /// The bytes are good for the call alone.
        /// </summary>
        public Action<ArraySegment<byte>> OnData { get; set; }
    }
}
