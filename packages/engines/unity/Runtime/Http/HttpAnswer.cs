using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Answer to an HTTP call.</summary>
    public sealed class HttpAnswer
    {
        private readonly Dictionary<string, string> headers;

        /// <summary>Creates an answer; header names are compared without case.</summary>
        public HttpAnswer(int status, IEnumerable<KeyValuePair<string, string>> headers, byte[] body)
        {
            Status = status;
            Body = body ?? new byte[0];
            this.headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var header in headers) this.headers[header.Key] = header.Value;
        }

        /// <summary>The HTTP status.</summary>
        public int Status { get; private set; }

        /// <summary>Raw bytes of the body.</summary>
        public byte[] Body { get; private set; }

        /// <summary>Returns a header; null for an unknown name.</summary>
        public string Header(string name)
        {
            string value;
            return headers.TryGetValue(name, out value) ? value : null;
        }
    }
}
