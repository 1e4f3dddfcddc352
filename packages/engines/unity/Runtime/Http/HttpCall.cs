using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>One HTTP request.</summary>
    public sealed class HttpCall
    {
        /// <summary>Creates a request without a body.</summary>
        public HttpCall(string method, Uri url)
        {
            Method = method;
            Url = url;
            Headers = new List<KeyValuePair<string, string>>();
            Timeout = TimeSpan.FromSeconds(15);
        }

        /// <summary>Method: GET, POST, PATCH, PUT or DELETE.</summary>
        public string Method { get; private set; }

        /// <summary>Address of the request.</summary>
        public Uri Url { get; private set; }

        /// <summary>All headers except those of the body; names in lower case, values in ASCII.</summary>
        public IList<KeyValuePair<string, string>> Headers { get; private set; }

        /// <summary>Body as JSON; null without one.</summary>
        public string Body { get; set; }

        /// <summary>Timeout of one attempt. With <see cref="OnData"/>: maximum silence of the stream.</summary>
        public TimeSpan Timeout { get; set; }

        /// <summary>
        /// Set for an event stream: takes the body of a 2xx answer in pieces, and <see cref="HttpAnswer.Body"/> is empty. The bytes are
        /// valid only during the call.
        /// </summary>
        public Action<ArraySegment<byte>> OnData { get; set; }
    }
}
