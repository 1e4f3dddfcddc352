using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>One logical call; each of its attempts is an <see cref="HttpCall"/>.</summary>
    internal sealed class ServiceCall
    {
        private readonly List<string> query = new List<string>();

        public ServiceCall(string method, params string[] path)
        {
            Method = method;
            Path = "/v1/" + string.Join("/", Array.ConvertAll(path, Uri.EscapeDataString));
            Timeout = TimeSpan.FromSeconds(15);
            // The key lets the service recognize a repeated POST.
            IdempotencyKey = method == "POST" ? Guid.NewGuid().ToString("N") : null;
        }

        public string Method { get; private set; }

        public string Path { get; private set; }

        public string IdempotencyKey { get; private set; }

        public object Body { get; set; }

        public TimeSpan Timeout { get; set; }

        /// <summary>Whether the call is sent without a player, for lists that anybody may read.</summary>
        public bool IsAnonymous { get; set; }

        public ServiceCall With(string name, object value)
        {
            if (value != null) query.Add(Uri.EscapeDataString(name) + "=" + Uri.EscapeDataString(Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)));
            return this;
        }

        public string PathAndQuery
        {
            get { return query.Count == 0 ? Path : Path + "?" + string.Join("&", query); }
        }
    }
}
