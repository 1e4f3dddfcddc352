using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>What came back.</summary>
    public sealed class HttpAnswer
    {
        private readonly Dictionary<string, string> headers;

        /// <summary>An answer; the names of headers are compared without case.</summary>
        public HttpAnswer(int status, IEnumerable<KeyValuePair<string, string>> headers, byte[] body)
        {
            Status = status;
            Body = body ?? new byte[0];
            this.headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var header in headers) this.headers[header.Key] = header.Value;
        }

        /// <summary>The HTTP status.</summary>
        public int Status { get; private set; }

        /// <summary>As it came, byte by byte.</summary>
        public byte[] Body { get; private set; }

        /// <summary>A header; null where there is none of this name.</summary>
        public string Header(string name)
        {
            string value;
            return headers.TryGetValue(name, out value) ? value : null;
        }
    }
}
